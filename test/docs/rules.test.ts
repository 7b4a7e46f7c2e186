import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findExamples, toAnchor } from '../support/markdown.ts';
import { countWords, findLinks, listAnchors, PAGES, readFirstParagraph, readPage } from '../support/pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const INDEX = 'docs/README.md';
const FOR_CONTRIBUTORS = ['CONTRIBUTING.md', 'SECURITY.md'];

/** The number of executed commands and files of all pages; the documentation may grow, but not shrink. */
const MIN_EXAMPLES = 1_219;
/** Words of a page that people read from its beginning to its end. */
const MAX_WORDS = 1_500;

/** How a page says what its reader can do after it. */
const FIRST_SENTENCE = /^After this (?:page|guide|part), you can [^.]+\./;
const FIRST_SENTENCE_OF_REFERENCE = /^(?:After this page, you can|Look up) [^.]+\./;

/** Whether users read a page; records of decisions are for contributors. */
const isChecked = (page: string) =>
  page.startsWith('docs/') && page !== INDEX && !page.startsWith('docs/adr/');

function breaksRule(page: string, text: string): string | null {
  const first = page.startsWith('docs/reference/') ? FIRST_SENTENCE_OF_REFERENCE : FIRST_SENTENCE;
  const paragraph = readFirstParagraph(text);
  if (!first.test(paragraph)) return `the first paragraph begins with: ${paragraph.slice(0, 60)}`;
  const words = countWords(text);
  return words > MAX_WORDS ? `${words} words` : null;
}

/** The links of a page to files that do not exist, or to headings that their pages do not have. */
function findBroken(page: string, text: string): readonly string[] {
  return findLinks(text).filter((link) => {
    if (/^[a-z][a-z+.-]*:/.test(link)) return false;
    const [name = '', anchor] = decodeURI(link).split('#');
    const target = name === '' ? text : readTarget(path.posix.join(path.posix.dirname(page), name));
    return target === null || (anchor !== undefined && !listAnchors(target).includes(anchor));
  });
}

/** The text of a file of the project; null if it does not exist. */
function readTarget(file: string): string | null {
  const inside = !file.startsWith('..') && existsSync(path.join(root, file));
  if (!inside) return null;
  return file.endsWith('.md') ? readFileSync(path.join(root, file), 'utf8') : '';
}

/** The pages that can be reached by links from the index. */
function listReachable(): ReadonlySet<string> {
  const reached = new Set([INDEX]);
  for (const page of reached) {
    for (const link of findLinks(readPage(page))) {
      const file = path.posix.join(path.posix.dirname(page), link.split('#')[0] ?? '');
      if (PAGES.includes(file)) reached.add(file);
    }
  }
  return reached;
}

describe('a page of the documentation', () => {
  it.each(PAGES.filter(isChecked))('%s says first what its reader can do, and is short', (page) => {
    expect(breaksRule(page, readPage(page))).toBeNull();
  });

  it.each([...PAGES, ...FOR_CONTRIBUTORS])('%s links to existing files and headings', (page) => {
    expect(findBroken(page, readPage(page))).toEqual([]);
  });

  it('can be reached from the index', () => {
    const reachable = listReachable();
    expect(PAGES.filter((page) => isChecked(page) && !reachable.has(page))).toEqual([]);
  });
});

describe('all pages together', () => {
  it('have at least as many executed examples as before', () => {
    const examples = PAGES.flatMap((page) => findExamples(readPage(page)));
    expect(examples.length).toBeGreaterThanOrEqual(MIN_EXAMPLES);
  });
});

describe('the rules of pages', () => {
  const page = 'docs/guides/users.md';
  const good = '# Plan\n\nAfter this guide, you can plan\na week. Then you rest.\n';

  it('accept the forms of the first sentence only', () => {
    expect(breaksRule(page, good)).toBeNull();
    expect(breaksRule('docs/reference/settings.md', '# Plan\n\nLook up the plan of a week.\n')).toBeNull();
    expect(breaksRule(page, '# Plan\n\nLook up the plan of a week.\n')).toContain('Look up');
    expect(breaksRule(page, '# Plan\n\nA plan is a list.\n')).toContain('A plan is a list.');
    expect(breaksRule(page, '# Plan\n\n## Week\n\nAfter this guide, you can plan.\n')).toContain('## Week');
  });

  it('count words outside fenced blocks and generated parts', () => {
    const words = 'word '.repeat(MAX_WORDS - 20);
    expect(breaksRule(page, `${good}${words}`)).toBeNull();
    expect(breaksRule(page, `${good}${words}\n\`\`\`console\n$ ${words}\n\`\`\`\n`)).toBeNull();
    const table = `<!-- generated: by a script -->\n| ${words} |\n<!-- end -->\n`;
    expect(breaksRule(page, `${good}${words}${table}`)).toBeNull();
    expect(breaksRule(page, `${good}${words}| ${words} |`)).toMatch(/^\d+ words$/);
  });

  it('find links that lead nowhere', () => {
    const text = [
      good,
      '## A heading: `code`',
      '[self](#a-heading-code) [index](../README.md) [part](../README.md#guides) ![](../images/console.png)',
      '[web](https://example.org/x.md) `[code](none.md)`',
    ].join('\n');
    expect(findBroken(page, text)).toEqual([]);
    const broken = [
      '#none',
      'none.md',
      '../README.md#none',
      '/docs/README.md',
      '../../../x',
      '../images/no.png',
    ];
    expect(findBroken(page, broken.map((link) => `[x](${link})`).join(' '))).toEqual(broken);
    expect(findBroken(page, '[x]: none.md\n<img src="none.png">')).toEqual(['none.md', 'none.png']);
  });

  it('make the anchors of headings that web pages of repositories have', () => {
    expect(toAnchor('## `quern docs`: pages, and a search')).toBe('quern-docs-pages-and-a-search');
  });
});
