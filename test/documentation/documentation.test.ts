import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveLink } from '../../src/documentation/links.ts';
import { type Page, readPages } from '../../src/documentation/pages.ts';
import { printHtml } from '../../src/documentation/print-html.ts';
import { printText } from '../../src/documentation/print-text.ts';
import { createSearch, MAX_QUERY_LENGTH, MAX_WORDS } from '../../src/documentation/search-pages.ts';
import { splitPage } from '../../src/documentation/sections.ts';
import { PAGES, toPageText } from './pages.ts';

const folder = path.resolve(import.meta.dirname, '../../docs');
const same = (text: string) => text;
const plain = { heading: same, strong: same, code: same, link: same, faint: same };
const site = { prefix: '/docs', hasPage: () => true, hasImage: () => true };

const makePage = (text: string, name = 'guides/plan'): Page => ({ name, title: 'Plan', text });
const toText = (text: string, width = 40) => printText(makePage(text), plain, width);
const toHtml = (text: string, own = site) => printHtml(makePage(text), own);

describe('the pages of a folder', () => {
  it('are read part by part, the index first', () => {
    const pages = readPages(folder);
    expect(pages[0]?.name).toBe('README');
    expect(pages.length).toBe(PAGES.length);
    expect(pages.find(({ name }) => name === 'guides/backups')).toMatchObject({
      title: 'Backups',
      text: toPageText('guides/backups'),
    });
    for (const { title } of pages) expect(title).toMatch(/^[^#`]+$/);
  });

  it('are an empty list if the folder does not exist', () => {
    expect(readPages(path.join(folder, 'nothing'))).toEqual([]);
  });
});

describe('a link of a page', () => {
  it.each([
    ['../README.md#guides', { kind: 'page', name: 'README', anchor: 'guides' }],
    ['trino.md', { kind: 'page', name: 'guides/trino', anchor: '' }],
    ['#week', { kind: 'page', name: 'guides/plan', anchor: 'week' }],
    ['../images/a.png', { kind: 'file', file: 'images/a.png' }],
    ['../../README.md', { kind: 'file', file: '../README.md' }],
    ['https://example.org/a.md', { kind: 'web', url: 'https://example.org/a.md' }],
    ['javascript:alert(1)', { kind: 'file', file: 'guides/javascript:alert(1)' }],
  ])('%s is resolved', (href, target) => {
    expect(resolveLink('guides/plan', href)).toEqual(target);
  });
});

describe('a fenced block of a file', () => {
  const text = '```sql a<b>.sql\nSELECT 1\n```\n\n```sql\nSELECT 2\n```\n';

  it('shows the name of the file above it', () => {
    expect(toText(text)).toBe('a<b>.sql:\n    SELECT 1\n\n    SELECT 2\n');
    expect(toHtml(text)).toBe(
      '<p class="file">a&lt;b&gt;.sql</p>\n<pre tabindex="0"><code>SELECT 1</code></pre>\n<pre tabindex="0"><code>SELECT 2</code></pre>\n',
    );
  });
});

describe('a page on a terminal', () => {
  it('breaks lines between words, also in lists', () => {
    const text = toText(
      '# Plan\n\nOne two three four five six seven eight nine.\n\n- a\n- b **c** `d e`\n\n1. x\n2. y\n',
    );
    expect(text).toBe(
      '# Plan\n\nOne two three four five six seven eight\nnine.\n\n• a\n• b c `d e`\n\n1. x\n2. y\n',
    );
    const long = toText(`- ${'word '.repeat(20)}`);
    expect(long).toMatch(/^• word(?: word)+\n(?: {2}word(?: word)+\n){2}$/);
    for (const line of long.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('keeps code as it is, and says where links lead', () => {
    expect(toText('```console\n$ quern sql  "SELECT 1"\n```\n')).toBe('    $ quern sql  "SELECT 1"\n');
    expect(toText('See [Trino](trino.md#a), [web](https://a.example), [below](#x).', 80)).toBe(
      'See Trino (guides/trino), web (https://a.example), below.\n',
    );
  });

  it('breaks the cells of tables that are too wide', () => {
    const text = toText(`| Key | Text |\n|---|---|\n| \`a\` | ${'word '.repeat(12)}|\n`);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('Key  Text');
    expect(lines[1]).toMatch(/^─{3} {2}─+$/);
    expect(lines[2]).toMatch(/^`a` {2}word/);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('does not show comments', () => {
    expect(toText('<!-- generated: x -->\nText.\n<!-- end -->\n')).not.toContain('<!--');
  });

  it.each(readPages(folder))('of $name has no line of prose that is wider than the terminal', (page) => {
    const prose = printText(page, plain, 100)
      .split('\n')
      .filter((line) => !line.startsWith('    ') && line.includes(' ') && !/ {2}/.test(line.trim()));
    const words = (line: string) =>
      line
        .trim()
        .replace(/^(?:•|\d+\.) /, '')
        .split(' ');
    expect(
      prose.filter((line) => line.length > 100 && words(line).length > 1 && !line.startsWith('#')),
    ).toEqual([]);
  });
});

describe('a page as HTML', () => {
  it('escapes HTML of the page, and drops comments', () => {
    expect(toHtml('<script>alert(1)</script>\n')).toContain('&lt;script&gt;');
    expect(toHtml('a <b onclick="x">b</b> `<i>`\n')).toBe(
      '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt; <code>&lt;i&gt;</code></p>\n',
    );
    expect(toHtml('<!-- a -->\n')).toBe('');
    expect(toHtml('```\n</code><script>\n```\n')).not.toContain('<script>');
  });

  it('links to pages, images and websites only', () => {
    expect(toHtml('[a](trino.md#x) [b](../README.md) [c](https://a.example/?a=1&b="2")')).toBe(
      '<p><a href="/docs/guides/trino#x">a</a> <a href="/docs">b</a> <a href="https://a.example/?a=1&amp;b=&quot;2&quot;">c</a></p>\n',
    );
    expect(toHtml('[a](javascript:alert(1)) [b](../../NOTICE)')).toBe('<p>a b</p>\n');
    expect(
      toHtml('[a](none.md) ![b](../images/none.png)', {
        ...site,
        hasPage: () => false,
        hasImage: () => false,
      }),
    ).toBe('<p>a b</p>\n');
    expect(toHtml('![b "c"](../images/a.png)')).toBe(
      '<p><img src="/docs/images/a.png" alt="b &quot;c&quot;"></p>\n',
    );
  });

  it('numbers the anchors of equal headings', () => {
    expect(toHtml('## `Same` one\n\n## Same one\n')).toMatch(/id="same-one".*id="same-one-1"/s);
  });
});

describe('a section', () => {
  it('is the text of a heading without markup', () => {
    const page = makePage(
      '# Plan\n\nIntro [link](x.md).\n\n## A `b`\n\n| h |\n|---|\n| **c** |\n\n- d\n\n```\ne\n```\n',
    );
    expect(splitPage(page)).toEqual([
      { page: 'guides/plan', title: 'Plan', heading: 'Plan', anchor: 'plan', text: 'Intro link.' },
      { page: 'guides/plan', title: 'Plan', heading: 'A b', anchor: 'a-b', text: 'h c d e' },
    ]);
  });
});

describe('a search', () => {
  const search = createSearch([
    makePage('# Plan\n\nThe weather is fine.\n\n## Rain\n\nTake an umbrella (a+b)*.\n', 'guides/plan'),
    makePage('# Rainbow\n\nRain and sun. İstanbul.\n', 'guides/rainbow'),
  ]);
  const find = async (query: string) => (await search(query))?.map(({ page, anchor }) => `${page}#${anchor}`);

  it('finds the sections that have all words, those with words in headings first', async () => {
    expect(await find('rain')).toEqual(['guides/rainbow#rainbow', 'guides/plan#rain']);
    expect(await find('UMBRELLA  rain')).toEqual(['guides/plan#rain']);
    expect(await find('umbrella sun')).toEqual([]);
    expect(await find(' ')).toEqual([]);
  });

  it('marks the matches, of any characters', async () => {
    const [hit] = (await search('(a+b)* UMBRELLA')) ?? [];
    expect(hit?.excerpt).toEqual([
      { text: 'Take an ', isMatch: false },
      { text: 'umbrella', isMatch: true },
      { text: ' ', isMatch: false },
      { text: '(a+b)*', isMatch: true },
      { text: '.', isMatch: false },
    ]);
    expect((await search('İstanbul'))?.length).toBe(1);
    for (const query of ['[', '\\', '^$', '-', '/', '\ud800', '\0'])
      expect(await search(query)).not.toBeNull();
  });

  it('refuses long queries and many words', async () => {
    expect(await search('a'.repeat(MAX_QUERY_LENGTH))).toEqual([]);
    expect(await search('a'.repeat(MAX_QUERY_LENGTH + 1))).toBeNull();
    const words = Array.from({ length: MAX_WORDS + 1 }, (_, at) => `w${at}`);
    expect(await search(words.slice(1).join(' '))).toEqual([]);
    expect(await search(words.join(' '))).toBeNull();
  });

  it('finds what readers of the documentation look for', async () => {
    const pages = createSearch(readPages(folder));
    const first = async (query: string) => (await pages(query))?.slice(0, 3).map(({ page }) => page);
    expect(await first('restore backup')).toContain('guides/backups');
    expect(await first('exit codes')).toContain('reference/command-line');
    expect((await pages('the'))?.length).toBe(30);
  });
});
