import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectErrorBody, expectRefusal, send } from '../../support/http.ts';
import { shareKeptServer } from '../../support/server.ts';

const shared = shareKeptServer();
const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

function get(target: string, headers: Record<string, string> = HTML, method = 'GET') {
  return send(shared.server.url, method, target, { headers });
}

async function listAssets(): Promise<readonly string[]> {
  const { text } = await get('/');
  const found = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
  expect(found.length).toBeGreaterThan(2);
  return found;
}

describe('the pages', () => {
  it.each([
    ['/', 200],
    ['/login', 200],
    ['/login/', 200],
    ['/login?return=%2F', 200],
    ['/profile/tokens', 200],
    ['/apis', 404],
    ['/no/such/page', 404],
  ])('answer a browser at %s with status %i', async (target, status) => {
    const answer = await get(target);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
    expect(answer.text).toContain('<div id="root">');
  });

  it('have the status 200 at each path of the router', async () => {
    const folder = path.join(import.meta.dirname, '../../../web/routes');
    const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const paths = texts.flatMap((text) => [...text.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, to]) => to!));
    expect(paths).toContain('/login');
    const targets = paths.flatMap((each) => {
      return each.endsWith('/$') ? [each.slice(0, -2), each.replace('$', 'any/path')] : [each];
    });
    for (const target of targets) expect((await get(target)).status, target).toBe(200);
  });

  it('refuse a path that cannot be decoded', async () => {
    expect((await get('/%zz')).status).toBe(400);
  });

  it('allow only their own script files, and only styles with a nonce', async () => {
    const [first, second] = [await get('/'), await get('/')];
    const policies = [first, second].map(({ headers }) => String(headers['content-security-policy']));
    const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)![1]!);
    expect(new Set(nonces).size).toBe(2);
    expect(policies[0]).toContain("default-src 'none'; script-src 'self'; ");
    expect(policies[0]).toContain("frame-ancestors 'none'");
    expect(policies[0]).not.toContain('unsafe');
    expect(first.text).toContain(`nonce="${nonces[0]}"`);
    expect(first.text).not.toContain('__NONCE__');
    expect(first.text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
  });

  it.each([
    ['/', { accept: '*/*' }],
    ['/profile/tokens', { accept: 'application/json' }],
    ['/nothing', {}],
    ['/nothing', { accept: 'text/html;q=0' }],
    ['/assets/nothing.js', HTML],
    ['/assets/', HTML],
    ['/health', HTML],
    ['/health/nothing', HTML],
    ['/api', HTML],
    ['/api/v2/x', HTML],
    ['/api?x', HTML],
    ['/console/api', HTML],
    ['/openapi.json/x', HTML],
    ['/metrics/x', HTML],
    ['/saml2/nothing', HTML],
  ])('do not exist at %s for %j', async (target, headers) => {
    expectRefusal(await get(target, headers), 404, `Route not found: GET ${target.split('?')[0]}`);
  });

  it('accept only reads', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expectRefusal(await get('/login', HTML, method), 404, `Route not found: ${method} /login`);
    }
    expect(await get('/login', HTML, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('keep unknown routes of the API closed without a token', async () => {
    expect((await get('/api/v1/nothing')).status).toBe(401);
  });
});

describe('the files of the pages', () => {
  it('can be cached without a time limit, and are compressed', async () => {
    for (const file of await listAssets()) {
      const plain = await get(file, {});
      expect(plain.status, file).toBe(200);
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(plain.headers['content-type']).toMatch(/javascript|css|svg/);
      expect(plain.text).not.toContain('sourceMappingURL');
    }
    const script = (await listAssets()).find((file) => file.endsWith('.js'))!;
    const packed = await get(script, { 'accept-encoding': 'br' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    const length = Number((await get(script, {})).headers['content-length']);
    expect(Number(packed.headers['content-length'])).toBeLessThan(length / 2);
  });

  it.each([
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/.built',
    '/.built',
    '/index.html.br',
    '/assets/%00',
  ])('cannot be left to other folders: %s', async (target) => {
    const answer = await get(target, {});
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('"name"');
    expectErrorBody(answer);
  });
});
