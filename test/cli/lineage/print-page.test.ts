import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printLineageHtml } from '../../../src/cli/lineage/print-page.ts';
import type { DescribedGraph, DescribedNode } from '../../../src/engine/script/graph/describe.ts';

const PARTS = { style: 'body { margin: 0 }', script: 'console.log(1)' };

function node(id: string, changes: Partial<DescribedNode> = {}): DescribedNode {
  return {
    id,
    kind: 'block',
    target: null,
    tags: [],
    doc: null,
    text: 'SELECT 1',
    file: 'shop.sql',
    line: 1,
    ...changes,
  };
}

const SHOP: DescribedGraph = {
  nodes: [
    node('acme.io/shop/mart.Daily', {
      kind: 'target',
      target: 'mart.daily',
      tags: ['nightly', 'finance'],
      doc: 'Turnover of each day.\nWithout returns.',
      text: '#+block sql Daily()\n#+begin\n  SELECT 1 < 2\n#+end',
      file: 'mart/daily.sql',
      line: 12,
    }),
    node('acme.io/shop/mart.Daily.unique(day, shop)', { kind: 'test' }),
    node('acme.io/shop/staging.Orders'),
    node('acme.io/shop/staging.OrdersArePositive', { kind: 'test' }),
  ],
  edges: [
    { from: 'acme.io/shop/staging.Orders', to: 'acme.io/shop/mart.Daily' },
    { from: 'acme.io/shop/mart.Daily', to: 'acme.io/shop/mart.Daily.unique(day, shop)' },
    { from: 'acme.io/shop/staging.Orders', to: 'acme.io/shop/staging.OrdersArePositive' },
  ],
};

const print = (...nodes: readonly DescribedNode[]) => printLineageHtml({ nodes, edges: [] }, PARTS);

describe('the page of the lineage', () => {
  it('has the list and all details without a script', async () => {
    const page = printLineageHtml(SHOP, { style: '', script: '' });
    await expect(page).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/shop.txt'));
  });

  it('allows no style and script but its own, and no address', () => {
    const page = print();
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page) ?? [];
    const contents = ['style', 'script'].map((tag) => {
      const [, content = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page) ?? [];
      return `${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    });
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      ...contents,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page.match(/ (?:src|href|style|on\w+)="[^"#]/g)).toBeNull();
  });

  it('escapes every text of the project', () => {
    const evil = '"\'><script>alert(1)</script><!-- &amp; ]]>';
    const fields = { target: evil, tags: [evil], doc: evil, text: evil, file: evil };
    const page = print(node(`${evil}.${evil}(${evil})`, { kind: 'target', ...fields }));
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<!--|alert\(1\)<\/script/);
    expect(page).toContain('&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp;amp; ]]&gt;');
  });

  it('shows controls, line separators and direction marks as signs, and keeps the lines of SQL', () => {
    const marks = 'a\u202eb\u2028c\u2066d\x1b[31m\0\r';
    const page = print(node(`p.N${marks}`, { text: `SELECT\t1\r\n${marks}`, doc: marks, tags: [marks] }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the page must not contain them
    expect(page).not.toMatch(/[\0-\x08\x0b-\x1f\u2028\u2029\p{Bidi_Control}]/u);
    expect(page).toContain('<pre>SELECT  1\na\ufffdb\ufffdc\ufffdd\u241b[31m\u2400\u240d</pre>');
  });

  it('links to blocks whose names have spaces, quotes, percent signs and other scripts', () => {
    const id = 'acme.io/shop.Größe 100 % "#1"';
    const page = printLineageHtml({ nodes: [node(id)], edges: [] }, PARTS);
    const [, address] = /<nav.*<a href="#([^"]+)"/s.exec(page) ?? [];
    expect(decodeURIComponent(address ?? '')).toBe(id);
    expect(address).toMatch(/^[\w./%-]+$/);
    expect(page).toContain(`<article id="${address}"`);
  });

  it('lists a check with the package of its block', () => {
    const page = printLineageHtml(SHOP, PARTS);
    const sections = [...page.matchAll(/<section><h2>(.*?)<\/h2>(.*?)<\/section>/gs)];
    expect(
      sections.map(([, name, list]) => [
        name,
        [...list!.matchAll(/">([^<]+)<\/a>/g)].map(([, link]) => link),
      ]),
    ).toEqual([
      ['acme.io/shop/mart', ['Daily', 'Daily.unique(day, shop)']],
      ['acme.io/shop/staging', ['Orders', 'OrdersArePositive']],
    ]);
  });

  it('is titled by what all packages have in common', () => {
    const title = (...ids: readonly string[]) =>
      /<title>(.*)<\/title>/.exec(print(...ids.map((id) => node(id))))?.[1];
    expect(title('acme.io/shop/mart.A', 'acme.io/shop/staging.B')).toBe('Lineage of acme.io/shop');
    expect(title('acme.io/shop.A', 'acme.io/shop.B')).toBe('Lineage of acme.io/shop');
    expect(title('one.A', 'two.B')).toBe('Lineage');
    expect(title()).toBe('Lineage');
  });

  it('counts targets, other blocks and tests', () => {
    const counts = (page: string) => /<h1>.*<p>(.*)<\/p>/.exec(page)?.[1];
    expect(counts(printLineageHtml(SHOP, PARTS))).toBe('1 target, 1 other block, 2 tests');
    expect(counts(print(node('p.A'), node('p.B')))).toBe('2 blocks');
    expect(counts(print(node('p.A', { kind: 'target' })))).toBe('1 target');
  });

  it('names a block without neighbours, description or tags without empty parts', () => {
    const page = print(node('p.N'));
    expect(page).not.toMatch(/<h3>(?:Reads|Is read by|Tests)|<dt>(?:Tags|Target)|class="doc"/);
  });
});
