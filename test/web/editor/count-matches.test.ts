import { SearchQuery } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import {
  countMatches,
  explainRegExp,
  printMatches,
} from '../../../web/components/editor/text/count-matches.ts';

function search(doc: string, config: ConstructorParameters<typeof SearchQuery>[0]) {
  const parts = [...countMatches(new SearchQuery(config), EditorState.create({ doc }))];
  return parts.at(-1)!;
}

const print = (matches: ReturnType<typeof search>, from = -1, to = -1) => printMatches(matches, { from, to });

describe('the matches of a search', () => {
  it('are counted, with the place of the selected one', () => {
    const matches = search('ab ab AB abc', { search: 'ab' });
    expect(print(matches)).toBe('4 matches');
    expect(print(matches, 3, 5)).toBe('2 of 4');
    expect(print(matches, 3, 4)).toBe('4 matches');
    expect(print(search('ab ab AB abc', { search: 'ab', caseSensitive: true, wholeWord: true }), 0, 2)).toBe(
      '1 of 2',
    );
    expect(print(search('a1 b2', { search: '[a-z]\\d', regexp: true }), 3, 5)).toBe('2 of 2');
    expect(print(search('ab', { search: 'b' }))).toBe('1 match');
    expect(print(search('ab', { search: 'x' }))).toBe('No match');
  });

  it('are counted up to 10,000', () => {
    expect(print(search('a'.repeat(10_000), { search: 'a' }), 9_999, 10_000)).toBe('10,000 of 10,000');
    const more = search('a'.repeat(10_001), { search: 'a' });
    expect(print(more)).toBe('10,000+ matches');
    expect(print(more, 16, 17)).toBe('17 of 10,000+');
  });

  it('are not empty', () => {
    expect(print(search('abc', { search: 'x*', regexp: true }))).toBe('No match');
  });

  it('say while they are still counted', () => {
    const matches = { found: [{ from: 0, to: 1 }], hasMore: false, isDone: false };
    expect(print(matches)).toBe('Searching…');
    expect(print(matches, 0, 1)).toBe('1 of …');
  });
});

describe('a regular expression', () => {
  it('is explained if it is not valid', () => {
    expect(explainRegExp('a+')).toBe(null);
    expect(explainRegExp('(a')).toBe('This is not a regular expression: Unterminated group');
  });
});
