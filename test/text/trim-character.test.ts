import { expect, it } from 'vitest';
import { trimCharacter } from '../../src/text/trim-character.ts';

it('removes a character only at the end', () => {
  expect(['a//', '/a/b', '///', '', '//a'].map((text) => trimCharacter(text, '/'))).toEqual([
    'a',
    '/a/b',
    '',
    '',
    '//a',
  ]);
  const long = `${'/'.repeat(5_000_000)}a`;
  expect(trimCharacter(long, '/')).toBe(long);
});
