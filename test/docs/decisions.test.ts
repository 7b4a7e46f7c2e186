import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countWords } from '../support/pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/adr');
const pages = readdirSync(folder).filter((file) => file !== 'README.md');
const read = (page: string) => readFileSync(path.join(folder, page), 'utf8');
const SECTIONS = ['Context', 'Decision', 'Consequences', 'What did not help'];
const MAX_WORDS = 600;

describe('the record of a decision', () => {
  it.each(pages)('has a number, the four sections, and one page: %s', (page) => {
    const text = read(page);
    const [, number] = /^(\d{4})-[a-z-]+\.md$/.exec(page) ?? [];
    expect(text.startsWith(`# ${number}: `)).toBe(true);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(SECTIONS);
    expect(countWords(text)).toBeLessThan(MAX_WORDS);
  });

  it.each(pages)('names files and folders that exist: %s', (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|bench|scripts|docs)\/[\w./-]+)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });

  it.each(pages)('names sections of the results that exist: %s', (page) => {
    const results = readFileSync(path.join(root, 'bench/RESULTS.md'), 'utf8');
    const named = [...read(page).matchAll(/\(`([a-z-]+)`\)/g)].map(([, name]) => name);
    expect(named.filter((name) => !results.includes(`\n## ${name}\n`))).toEqual([]);
  });

  it('is in the list, with consecutive numbers', () => {
    const index = read('README.md');
    const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
    expect(listed).toEqual(pages.toSorted());
    expect(pages.toSorted().map((page) => Number(page.slice(0, 4)))).toEqual(pages.map((_, at) => at + 1));
  });
});
