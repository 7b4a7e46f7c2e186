import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../src/identity/audit/audit.ts';
import { printAction } from '../../web/components/administration/audit/print-action.ts';

const entry = {
  id: '1',
  at: '2026-03-01T12:00:00.000Z',
  actor: 'ana',
  token: null,
  result: 'done',
  address: null,
  request_id: null,
} as const;

it.each([
  ['grant.set', 'group:analysts EDIT @Shared', 'ana granted EDIT on @Shared to group:analysts'],
  ['grant.set', 'user:Ada L USE connection:shop', 'ana granted USE on connection:shop to user:Ada L'],
  ['grant.delete', 'everyone VIEW @Shared/a VIEW b', 'ana revoked VIEW on @Shared/a VIEW b from everyone'],
  ['user.stop', 'bob: sessions 1', 'ana stopped the user bob: sessions 1'],
  ['sign-in', 'ana@example.org', 'ana signed in'],
  ['sign-out', 'ana', 'ana signed out ana'],
  ['future.action', null, 'ana future.action'],
])('says %s of %s in a sentence', (action, object, sentence) => {
  expect(printAction({ ...entry, action, object })).toBe(sentence);
});

it('says that an action was refused', () => {
  const refused = { ...entry, actor: null, result: 'refused' } as const;
  expect(printAction({ ...refused, action: 'sign-in', object: 'mallory' })).toBe(
    'A sign-in as mallory was refused',
  );
  expect(printAction({ ...refused, actor: 'ana', action: 'user.password', object: 'ana' })).toBe(
    'ana was refused: user.password ana',
  );
});

it('has a verb for each action', () => {
  const sentences = AUDIT_ACTIONS.map((action) => printAction({ ...entry, action, object: 'x' }));
  expect(sentences.filter((sentence, index) => sentence.includes(AUDIT_ACTIONS[index]!))).toEqual([]);
});
