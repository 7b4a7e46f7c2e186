import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/engine/connection/contract/kind.ts';
import { ClientSession } from '../../../../src/engine/connection/trino/client-session.ts';
import { trinoKind } from '../../../../src/engine/connection/trino/kind.ts';
import { readStart } from '../../../../src/engine/connection/trino/start.ts';

function start(options: Readonly<Record<string, string>> = {}): ClientSession {
  const given = { options: { user: 'ann', ...options }, overrides: {} };
  return new ClientSession(readStart(resolveOptions(trinoKind, given), given.overrides));
}

describe('the headers of a session of Trino', () => {
  it('carry the options of the connection', () => {
    const options = {
      user: 'änn',
      catalog: 'lake',
      schema: 'öl',
      role: 'admin; hive=ALL',
      client_tags: 'quick, né',
      session: 'a.b=x y; c=1=2',
      extra_credentials: 'token=a=b c',
    };
    expect(start(options).print()).toMatchObject({
      'x-trino-user': 'änn',
      'x-trino-catalog': 'lake',
      'x-trino-schema': 'öl',
      'x-trino-role': ['system=ROLE%7Badmin%7D', 'hive=ALL'],
      'x-trino-client-tags': 'quick,né',
      'x-trino-session': ['a.b=x%20y', 'c=1%3D2'],
      'x-trino-extra-credential': ['token=a%3Db%20c'],
      'x-trino-transaction-id': 'NONE',
    });
  });

  it('follow what the server says', () => {
    const state = start({ session: 'a=1;b=2' });
    state.notice({
      'x-trino-set-catalog': 'lake',
      'x-trino-set-schema': 'öl, bö',
      'x-trino-set-path': 'one.two, three.four',
      'x-trino-set-session': 'b=3%2C4, c=5',
      'x-trino-clear-session': 'a',
      'x-trino-added-prepare': 'p=SELECT+1, q=SELECT+2',
      'x-trino-deallocated-prepare': 'p',
      'x-trino-started-transaction-id': 'id',
      'x-trino-set-role': 'system=NONE',
    });
    expect(state).toMatchObject({ catalog: 'lake', schema: 'öl, bö', inTransaction: true });
    expect(state.print()).toMatchObject({
      'x-trino-path': 'one.two, three.four',
      'x-trino-session': ['b=3%2C4', 'c=5'],
      'x-trino-prepared-statement': ['q=SELECT+2'],
      'x-trino-transaction-id': 'id',
      'x-trino-role': ['system=NONE'],
    });
    state.notice({ 'x-trino-clear-transaction-id': 'true' });
    expect(state.inTransaction).toBe(false);
  });

  it('name the original user while another one is set', () => {
    const state = start({ role: 'admin' });
    state.notice({ 'x-trino-set-authorization-user': 'bob' });
    expect(state.print()).toMatchObject({ 'x-trino-user': 'bob', 'x-trino-original-user': 'ann' });
    expect(state.print()).not.toHaveProperty('x-trino-role');
    state.notice({ 'x-trino-reset-authorization-user': 'true' });
    expect(state.print()).toMatchObject({
      'x-trino-user': 'ann',
      'x-trino-role': ['system=ROLE%7Badmin%7D'],
    });
    expect(state.print()).not.toHaveProperty('x-trino-original-user');
  });

  it('are the same for statements next to those of the session, without its transaction', () => {
    const state = start();
    state.notice({
      'x-trino-set-catalog': 'lake',
      'x-trino-set-session': 'a=1',
      'x-trino-started-transaction-id': 'id',
    });
    const fork = state.fork();
    expect(fork.print()).toMatchObject({
      'x-trino-catalog': 'lake',
      'x-trino-session': ['a=1'],
      'x-trino-transaction-id': 'NONE',
    });
    fork.notice({ 'x-trino-set-catalog': 'sea' });
    expect(state.catalog).toBe('lake');
  });

  it.each([{ user: '💛' }, { catalog: 'a\nb' }, { catalog: 'lake', schema: 'α' }, { client_tags: '–' }])(
    'cannot carry %o',
    (options) => {
      expect(() => start(options).print()).toThrow('Latin-1');
    },
  );

  it('have a maximum length', () => {
    const state = start();
    state.notice({ 'x-trino-added-prepare': `p=${'x'.repeat(1024 * 1024)}` });
    expect(() => state.print()).toThrow('DEALLOCATE PREPARE');
  });
});

describe('the start of a session of Trino', () => {
  it.each([
    [{}, null],
    [{ scratch_schema: 'lake.scratch' }, { catalog: 'lake', schema: 'scratch' }],
    [
      { catalog: 'sea', scratch_schema: 'scratch' },
      { catalog: 'sea', schema: 'scratch' },
    ],
  ])('with %o stores rows in %o', (options, scratch) => {
    expect(start(options).scratch).toEqual(scratch);
  });

  it.each([
    [{ scratch_schema: 'scratch' }, 'set scratch_schema to catalog.schema'],
    [{ schema: 'tiny' }, 'set the option catalog'],
    [{ user: '' }, 'needs the option "user"'],
  ])('is refused with %o', (options, message) => {
    expect(() => start(options)).toThrow(message);
  });
});
