import { expect, it } from 'vitest';
import { findCommentTitle } from '../../../../src/engine/run/record/comment-title.ts';

it.each([
  ['-- The best days\nFROM t', 'The best days'],
  ['SELECT 1;\r\n  --The best days\r\n  FROM t', 'The best days'],
  ['-- The best days\n-- of the year\nFROM t', 'The best days'],
  ['------------\n-- Best\n------------\nFROM t', 'Best'],
  ['-- $code in (ATL, ORD): The airport.\n-- Flights\nFROM t', 'Flights'],
  ['/* The best days */ FROM t', 'The best days'],
  ['SELECT 1; /* The best days */ FROM t', 'The best days'],
  ['/*\n * The best days\n */\nFROM t', 'The best days'],
  ['-- a */\nFROM t', 'a */'],
  [`-- ${'🦆'.repeat(90)}\nFROM t`, `${'🦆'.repeat(79)}…`],
])('%j has a title', (source, title) => {
  expect(findCommentTitle(source, source.lastIndexOf('FROM'))).toBe(title);
});

it.each([
  ['a comment before an empty line', '-- A file\n\nFROM t'],
  ['a comment after another statement', 'SELECT 1; -- one\nFROM t'],
  ['a block comment after another statement', 'SELECT 1; /* one */\nFROM t'],
  ['a block comment before an empty line', '/* A file */\n\nFROM t'],
  ['a statement on the same line', '-- one\nSELECT 1; FROM t'],
  ['descriptions of parameters', '-- $code: The airport.\nFROM t'],
  ['a comment without a word', '--\n-- ---\nFROM t'],
  ['an empty block comment', '/**/FROM t'],
  ['the start of a source', 'FROM t'],
  ['the end of a long comment', `/* ${'a'.repeat(3_000)} */\nFROM t`],
  ['a line that is longer than what is searched', `-- ${'a'.repeat(3_000)}\nFROM t`],
])('there is no title in %s', (_name, source) => {
  expect(findCommentTitle(source, source.lastIndexOf('FROM'))).toBeNull();
});
