import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RESPONSE_CHECKS } from '../../../src/identity/saml/protocol/checks.ts';

/** Checks that are made after a response is verified, of its request and of the account. */
const LATER = [
  'request',
  'replay',
  'session-end',
  'groups-limit',
  'account-conflict',
  'account-unknown',
  'account-disabled',
  'account-administrator',
  'account-name',
];

it('the page about single sign-on names checks that there are', () => {
  const page = readFileSync('docs/single-sign-on.md', 'utf8');
  const [, table = ''] = /\| Check \| What to do \|\n(.*?)\n\n/s.exec(page) ?? [];
  const names = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  expect(names.length).toBeGreaterThan(20);
  const known = [...Object.keys(RESPONSE_CHECKS), ...LATER];
  expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([]);
});
