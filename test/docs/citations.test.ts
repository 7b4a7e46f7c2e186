import { describe, expect, it } from 'vitest';
import { findBrokenCitations, findNumberedCitations, readTextFiles } from './find-citations.ts';

const FOLDERS = ['src', 'test', 'web', 'bench', 'bin', 'scripts'];

const files = readTextFiles(FOLDERS);

/** A text as if it were in a file; its parts are apart here, because this file is checked too. */
function write(...parts: readonly string[]) {
  return { path: 'a.ts', text: `/** A path\n * ${parts.join('')}. */\n` };
}

describe('the citations of the documentation', () => {
  it('name existing pages and headings', () => {
    expect(files.flatMap(findBrokenCitations)).toEqual([]);
  });

  it('are the only form of citation', () => {
    expect(files.flatMap(findNumberedCitations)).toEqual([]);
  });

  it.each([
    ['reference/catalog.md', true],
    ['reference/catalog.md#history', true],
    ['reference/none.md', false],
    ['reference/catalog.md#none', false],
  ])('to `%s` are checked', (place, isFound) => {
    expect(findBrokenCitations(write('docs/', place))).toEqual(isFound ? [] : [`a.ts: docs/${place}`]);
  });

  it.each([
    ['interface', ' 4.5'],
    ['semantic SQL', ' 4'],
    ['language', ' section 4'],
    ['Results', ' 2 to 4, as far as they concern a server'],
    ['the body of interface', ' 7 remains'],
    ['catalog', '\n * 11'],
  ])('by the number of a section are found: %s%s', (word, number) => {
    expect(findNumberedCitations(write(word, number))).toHaveLength(1);
  });

  it.each([
    ['the catalog', ' 168 MB'],
    ['the results', ' 12 ms later'],
    ['engine', ' 3 times'],
    ['RFC 7644, section', ' 3.4.2'],
  ])('by the number of a section are not confused with other numbers: %s%s', (word, number) => {
    expect(findNumberedCitations(write(word, number))).toEqual([]);
  });
});
