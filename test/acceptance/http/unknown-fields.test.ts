import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { connection, runSql } from './executing.ts';

const shared = shareServer();
const STRICT = [
  'handling=strict',
  'respond-async;x=", handling=lenient", HANDLING="Strict"',
  'wait=1 , Handling = strict',
];

describe('fields that an operation does not have', () => {
  it('are ignored, and named in the response', async () => {
    const more = { parms: { a: 1 }, connection: { ...connection, overides: {} }, 'é,\n': 1 };
    const { status, headers } = await runSql(shared.admin, 'SELECT 1', more);
    expect([status, headers['x-ignored-fields']]).toEqual([200, 'connection.overides, parms, %C3%A9%2C%0A']);
    const query = await shared.admin.send('GET', '/manage/users?limt=1&limit=1');
    expect([query.status, query.headers['x-ignored-fields']]).toEqual([200, 'limt']);
  });

  it('are named up to 20, once, and cut', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `${'x'.repeat(200)}${at}`);
    const { headers } = await runSql(
      shared.admin,
      'SELECT 1',
      Object.fromEntries(names.map((name) => [name, 1])),
    );
    expect(headers['x-ignored-fields']).toBe('x'.repeat(100));
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 1]));
    const { headers: more } = await runSql(shared.admin, 'SELECT 1', many);
    expect(String(more['x-ignored-fields']).split(', ')).toHaveLength(20);
  });

  it('are not named where all are known', async () => {
    const { headers } = await runSql(shared.admin, 'SELECT $a', { params: { a: 1 }, bind: undefined });
    expect(headers).not.toHaveProperty('x-ignored-fields');
    expect(headers).not.toHaveProperty('preference-applied');
  });

  it.each(STRICT)('are refused with `Prefer: %s`', async (prefer) => {
    const sending = { headers: { prefer } };
    const refused = await runSql(
      shared.admin,
      'SELECT 1',
      { connecton: 1, connection: { ...connection, nam: 1 } },
      sending,
    );
    expectRefusal(refused, 400, 'Unknown field: connection.nam, did you mean connection.name?');
    expectRefusal(
      await shared.admin.send('GET', '/manage/users?limt=1', sending),
      400,
      'Unknown field: limt, did you mean limit?',
    );
    const { status, headers } = await runSql(shared.admin, 'SELECT 1', {}, sending);
    expect([status < 300, headers['preference-applied']]).toEqual([
      true,
      expect.stringMatching(/^handling=strict/),
    ]);
  });

  it.each(['handling=lenient', 'handling', 'handling=lenient, handling=strict', 'x="handling=strict"'])(
    'are ignored with `Prefer: %s`',
    async (prefer) => {
      const { status, headers } = await runSql(
        shared.admin,
        'SELECT 1',
        { more: 1 },
        { headers: { prefer } },
      );
      expect([status, headers['x-ignored-fields']]).toEqual([200, 'more']);
    },
  );
});
