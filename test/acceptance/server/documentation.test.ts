import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefusal, send } from '../../support/http.ts';
import { PAGES, readPage } from '../../support/pages.ts';
import { shareKeptServer } from '../../support/server.ts';

const shared = shareKeptServer();
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const root = path.resolve(import.meta.dirname, '../../..');

/** The names of the pages that the server has. */
const names = PAGES.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/adr/'))
  .map((page) => page.slice('docs/'.length, -'.md'.length))
  .filter((name) => name !== 'README');

function get(target: string, headers: Readonly<Record<string, string>> = HTML, method = 'GET') {
  return send(shared.server.url, method, target, { headers });
}

/** The addresses on a page that lead to the same server. */
function listAddresses(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, address = '']) => address);
}

describe('the documentation of a server', () => {
  it('is served without a token, with its index at /docs', async () => {
    const { status, headers, text } = await get('/docs');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    expect(text).toContain('<h1 id="documentation-of-quern">');
    for (const name of names) expect(text).toContain(`href="/docs/${name}"`);
    expect((await get('/docs/')).text).toBe(text);
  });

  it('allows no scripts, no inline styles and nothing from other sites', async () => {
    const { headers, text } = await get('/docs/guides/backups');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; /);
    expect(policy).not.toMatch(/script-src|unsafe|https?:/);
    expect(text).not.toMatch(/<script|<style|<iframe| style=| on\w+=/);
  });

  it('has every page, image and address that a page links to', async () => {
    const targets = new Set<string>();
    for (const name of names) {
      const { status, text } = await get(`/docs/${name}`);
      expect(status, name).toBe(200);
      for (const address of listAddresses(text)) targets.add(address);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, name).toBe(ids.length);
    }
    for (const target of targets) {
      const [file = '', anchor] = target.split('#');
      const { status, text } = await get(file);
      expect(status, target).toBe(200);
      if (anchor !== undefined) expect(text, target).toContain(` id="${decodeURIComponent(anchor)}"`);
    }
    expect(targets.size).toBeGreaterThan(names.length);
  });

  it('serves images as they are', async () => {
    const { status, headers } = await get('/docs/images/console.png');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(readFileSync(path.join(root, 'docs/images/console.png')).length),
    });
  });

  it.each(['/docs', '/docs/guides/backups', '/docs/style.css', '/docs/images/console.png'])(
    'lets clients keep %s until it changes',
    async (target) => {
      const { headers } = await get(target);
      const etag = String(headers.etag);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await get(target, { ...HTML, 'if-none-match': `"x", W/${etag}` });
      expect({ status: again.status, text: again.text, etag: again.headers.etag }).toEqual({
        status: 304,
        text: '',
        etag,
      });
      expect((await get(target, { ...HTML, 'if-none-match': '"x"' })).status).toBe(200);
      const head = await get(target, HTML, 'HEAD');
      expect({ status: head.status, text: head.text, etag: head.headers.etag }).toEqual({
        status: 200,
        text: '',
        etag,
      });
      expect(head.headers['content-length']).toBe(headers['content-length']);
    },
  );
});

describe('an unknown page of the documentation', () => {
  it.each([
    '/docs/guides/bakcups',
    '/docs/%3Cscript%3Ealert(1)%3C/script%3E',
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/images/..%2fopenapi.json',
    '/docs/images/none.png',
    '/docs/guides/backups.md',
    '/docs/openapi.json',
    '/docs/__proto__',
    `/docs/${'a'.repeat(10_000)}`,
    '/docs/guides%00',
  ])('%s is refused with 404', async (target) => {
    const { status, headers, text } = await get(target);
    expect(status).toBe(404);
    if (!target.includes('/../')) expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toContain('<script');
    expect(text).not.toContain('"dependencies"');
  });

  it('names a page that may be meant', async () => {
    const { text } = await get('/docs/guides/bakcups');
    expect(text).toContain('Did you mean <a href="/docs/guides/backups">Backups</a>?');
  });

  it('is a JSON error for clients that do not ask for HTML', async () => {
    expectRefusal(await get('/docs/none', {}), 404, 'Route not found: GET /docs/none');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('and a known one refuse %s', async (method) => {
    for (const target of ['/docs', '/docs/guides/backups', '/docs/none', '/docs/search']) {
      const { status, headers } = await get(target, HTML, method);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' });
    }
  });
});

describe('the search of the documentation', () => {
  const search = (query: string) => get(`/docs/search?${new URLSearchParams({ q: query })}`);

  it('finds sections, and marks the words in excerpts', async () => {
    const { status, text } = await search('restore backup');
    expect(status).toBe(200);
    expect(text).toMatch(/<a href="\/docs\/guides\/backups#restoring">Restoring<\/a>/);
    expect(text).toMatch(/<mark>backup<\/mark>/i);
    for (const [, address = ''] of text.matchAll(/<li><h2><a href="([^"#]+)/g)) {
      expect((await get(address)).status).toBe(200);
    }
  });

  it('escapes the query', async () => {
    const { status, text } = await search('"><script>alert(1)</script>&amp;');
    expect(status).toBe(200);
    expect(text).not.toContain('<script>');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"');
  });

  it.each([
    ['', 200, 'Type the words'],
    ['xyzzyplugh', 200, 'No sections contain'],
    ['a'.repeat(200), 200, 'No sections contain'],
    ['a'.repeat(201), 400, 'at most 10 words and 200 characters'],
    ['a b c d e f g h i j k', 400, 'at most 10 words and 200 characters'],
    ['(((((((((a+)+)+)+)+)+$', 200, 'No sections contain'],
    ['\0\u2028\ud800', 200, 'No sections contain'],
  ])('has a page for the query %j', async (query, status, expected) => {
    const answer = await search(query);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(expected);
  });

  it('refuses a query that is given twice, and has a page without a query', async () => {
    expect((await get('/docs/search?q=a&q=b')).status).toBe(400);
    expect((await get('/docs/search')).status).toBe(200);
    expect((await get('/docs/search?q=%ff')).status).toBeLessThan(500);
  });
});

describe('a page of the documentation', () => {
  it('shows the text of its Markdown source', async () => {
    const { text } = await get('/docs/reference/settings');
    const keys = readPage('docs/reference/settings.md').match(/(?<=^\| `)[\w.]+(?=` \|)/gm) ?? [];
    expect(keys.length).toBeGreaterThan(20);
    for (const key of keys) expect(text).toContain(`<td><code>${key}</code></td>`);
    expect(text).not.toContain('&lt;!--');
  });
});
