import { describe, expect, it } from 'vitest';
import { CONSTRUCTIONS } from './constructions.ts';
import { findBanned } from './find-banned.ts';
import { readProse } from './read-prose.ts';

/** Files and folders with texts that people read. */
const READABLE = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'bench',
  'bin',
  'docs',
  'fixtures',
  'scripts',
  'src',
  'test',
  'web',
];

describe('the texts of the project', () => {
  it.each(READABLE)('have no banned construction in %s', (place) => {
    const found = findBanned([place]).map(
      ({ file, line, text, use }) => `${file}:${line}: ${text} -> ${use}`,
    );
    expect(found).toEqual([]);
  });

  it('are checked for at least sixty constructions', () => {
    expect(CONSTRUCTIONS.length).toBeGreaterThanOrEqual(60);
  });
});

describe('readProse', () => {
  it('reads comments and strings of a program, and titles of tests', () => {
    const text = "/** Reads a\n * file. */\nconst a = 'is no file';\nconst b = `the `;\n";
    expect(readProse('src/a.ts', text)).toEqual([
      { line: 1, text: 'Reads a file.' },
      { line: 3, text: 'is no file' },
      { line: 4, text: 'the ' },
    ]);
    const test =
      "describe('the reader', () => {\n  it.each([1])('reads %s', () => expect('other text'));\n});\n";
    expect(readProse('test/a.test.ts', test).map((prose) => prose.text)).toEqual(['the reader', 'reads %s']);
  });

  it('reads a Markdown page without its code', () => {
    const page = '# A page\n\n```sh\nnobody\n```\nUse `nobody` here.\n';
    const texts = readProse('docs/a.md', page).map(({ text }) => text);
    expect(texts.join(' ')).toContain('A page');
    expect(texts.join(' ')).not.toContain('nobody');
  });
});
