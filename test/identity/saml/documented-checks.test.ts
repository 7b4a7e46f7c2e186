import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { RESPONSE_CHECKS } from '../../../src/identity/saml/protocol/checks.ts';

const docs = path.resolve(import.meta.dirname, '../../../docs');

/** The checks of the request and of the account, after a response is verified. */
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

it('the guide to single sign-on names only existing checks', () => {
  const page = readFileSync(path.join(docs, 'guides/single-sign-on.md'), 'utf8');
  const [, table = ''] = /\| Check \| What to do \|\n(.*?)\n\n/s.exec(page) ?? [];
  const names = table
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  expect(names.length).toBeGreaterThan(20);
  const known = [...Object.keys(RESPONSE_CHECKS), ...LATER];
  expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([]);
});

it('the reference of sign-ins lists every check of a response with its condition, in order', () => {
  const page = readFileSync(path.join(docs, 'reference/saml-sign-in.md'), 'utf8');
  const [, table = ''] = /\| Check \| Condition \|\n\|---\|---\|\n(.*?)\n\n/s.exec(page) ?? [];
  const rows = Object.entries(RESPONSE_CHECKS).map(([name, condition]) => `| \`${name}\` | ${condition} |`);
  expect(table.split('\n')).toEqual(rows);
});

it.each(LATER)('the reference describes the check `%s` after a response is verified', (name) => {
  const pages = ['saml-sign-in', 'saml-accounts'].map((page) =>
    readFileSync(path.join(docs, `reference/${page}.md`), 'utf8'),
  );
  expect(pages.join()).toContain(`\`${name}\``);
});
