import { expect, it } from 'vitest';
import { isTop, parsePath, printPath } from '../../src/catalog/path.ts';
import { refusalOf } from './world.ts';

it.each([
  ['@Shared', '@Shared'],
  ['/@Shared', '@Shared'],
  ['@Shared/', '@Shared'],
  ['/@Personal/a/b/', '@Personal/a/b'],
  ['@Project Hub/p/q', '@Project Hub/p/q'],
  ['@Shared/@Shared', '@Shared/@Shared'],
  ['@Shared/ a ', '@Shared/ a '],
  ['@Shared/%2e%2e', '@Shared/%2e%2e'],
  ['@Shared/...', '@Shared/...'],
])('parses %j as %j', (text, path) => {
  expect(printPath(parsePath(text))).toBe(path);
});

it.each([
  '',
  '/',
  '//',
  'Shared',
  '@shared',
  '@Shared ',
  '//@Shared',
  '@Shared//',
  '@Shared//a',
  '@Shared/./a',
  '@Shared/..',
  '@Project%20Hub/a',
  '@Shared/\ud800',
])('does not find %j', (text) => {
  expect(refusalOf(() => parsePath(text))).toMatchObject({ status: 404, detail: `Path not found: ${text}` });
});

it('recognizes the level above the namespaces', () => {
  expect(['', '/', '//', '@Shared'].map(isTop)).toEqual([true, true, false, false]);
});
