import { describe, expect, it } from 'vitest';
import { createWorld, fileBody, grant, refusalOf, serverBody, type World } from './world.ts';

/** A world with the connection `pg`, whose password is `hunter2`. */
function makeWorld(): World {
  const world = createWorld();
  world.connections.create(world.owner, serverBody('pg', { description: 'orders', timeoutMs: 5_000 }));
  return world;
}

/** The options and secrets with which a run opens `pg`. */
function optionsOf({ connections, owner }: World): Readonly<Record<string, string>> {
  return connections.resolve(owner, { name: 'pg', overrides: {}, spillFolder: '' }).spec.options;
}

/** The entries of the audit log about connections, newest first. */
function readAudit({ database }: World): readonly string[] {
  const sql = "SELECT action FROM audit_log WHERE action LIKE 'connection.%' ORDER BY id DESC";
  return database
    .statement<{ action: string }>(sql)
    .all()
    .map(({ action }) => action);
}

describe('a change of a connection', () => {
  it('changes what it names, and keeps the other settings and the secrets', () => {
    const world = makeWorld();
    const { connections, owner } = world;
    const changed = connections.change(owner, 'pg', '1', {
      options: { database: 'archive', connect_timeout: '3' },
      maxSessions: 2,
    });
    expect(changed).toMatchObject({
      description: 'orders',
      options: { host: 'db.example', user: 'quern', database: 'archive', connect_timeout: '3' },
      secrets: ['password'],
      timeout_ms: 5_000,
      max_sessions: 2,
      revision: 2,
    });
    expect(optionsOf(world)).toMatchObject({ password: 'hunter2', database: 'archive' });
    expect(readAudit(world)).toEqual(['connection.change', 'connection.create']);
  });

  it('removes with null, and sets defaults again', () => {
    const world = makeWorld();
    const { connections, owner } = world;
    connections.change(owner, 'pg', '1', { options: { database: 'archive' }, allowedOverrides: [] });
    const changed = connections.change(owner, 'pg', '"2"', {
      options: { database: null },
      secrets: { password: null },
      allowedOverrides: null,
      timeoutMs: null,
      description: null,
    });
    expect(changed).toMatchObject({
      description: '',
      secrets: [],
      allowed_overrides: ['database', 'schema'],
      timeout_ms: null,
    });
    expect(changed.options).toEqual({ host: 'db.example', user: 'quern' });
    expect(optionsOf(world)).not.toHaveProperty('password');
  });

  it('rotates a secret', () => {
    const world = makeWorld();
    world.connections.change(world.owner, 'pg', '1', { secrets: { password: 'hunter3' } });
    expect(optionsOf(world)).toMatchObject({ password: 'hunter3' });
  });

  it('keeps the revision and writes no entry when nothing differs', () => {
    const world = makeWorld();
    const { connections, owner } = world;
    expect(connections.change(owner, 'pg', '*', { options: { host: 'db.example' } }).revision).toBe(1);
    expect(readAudit(world)).toEqual(['connection.create']);
  });

  it.each([
    [{ host: 'elsewhere.example' }, 'host'],
    [{ user: 'other' }, 'user'],
    [{ port: '6543' }, 'port'],
    [{ sslmode: 'disable' }, 'sslmode'],
  ])('needs the secret again with %j', (options, name) => {
    const world = makeWorld();
    const { connections, owner } = world;
    const refusal = refusalOf(() => connections.change(owner, 'pg', '1', { options }));
    expect(refusal).toMatchObject({
      status: 400,
      detail: `The secret password was stored for another ${name}: send it again`,
    });
    expect(connections.get(owner, 'pg').revision).toBe(1);
    connections.change(owner, 'pg', '1', { options, secrets: { password: 'hunter3' } });
    expect(optionsOf(world)).toMatchObject({ ...options, password: 'hunter3' });
  });

  it('is refused with a wrong revision, and without one', () => {
    const { connections, owner } = makeWorld();
    const change = (header?: string) => () => connections.change(owner, 'pg', header, { description: 'x' });
    expect(refusalOf(change('2')).status).toBe(412);
    expect(refusalOf(change()).status).toBe(428);
  });

  it('is refused for unknown options, options as secrets, and missing required ones', () => {
    const { connections, owner } = makeWorld();
    const change = (changes: object) => refusalOf(() => connections.change(owner, 'pg', '*', changes)).detail;
    expect(change({ options: { nope: null } })).toMatch(/^Unknown option for postgresql: nope/);
    expect(change({ options: { user: null } })).toBe('Option required for postgresql: user');
    expect(change({ options: { password: 'x' } })).toMatch(/^Option password is a secret/);
    expect(change({ secrets: { host: 'x' } })).toMatch(/^Option host is not a secret/);
    expect(change({ timeoutMs: 0 })).toMatch(/^Timeout must be a whole number/);
    expect(connections.get(owner, 'pg').revision).toBe(1);
  });

  it('needs MANAGE, and an administrator for paths of files', () => {
    const world = makeWorld();
    const { connections, owner, guest } = world;
    connections.create(owner, fileBody('shop'), '/');
    for (const name of ['pg', 'shop']) grant(world, name, 'USE');
    const change = (name: string, changes: object) => () => connections.change(guest, name, '*', changes);
    expect(refusalOf(change('pg', { description: 'x' })).status).toBe(403);
    for (const name of ['pg', 'shop']) grant(world, name, 'MANAGE');
    expect(change('pg', { description: 'x' })().revision).toBe(2);
    expect(refusalOf(change('shop', { options: { file: '/etc/x.duckdb' } })).status).toBe(403);
    const kept = change('shop', { options: { threads: '2' } })();
    expect(kept.options).toEqual({ threads: '2' });
    expect(connections.get(owner, 'shop').options).toEqual({ file: '/data/shop.duckdb', threads: '2' });
    expect(refusalOf(() => connections.change(owner, 'duckdb', '*', { description: 'x' })).status).toBe(422);
  });
});

describe('the connection of a test', () => {
  it('uses the stored secrets for the same account, and writes an entry', () => {
    const world = makeWorld();
    const { connections, owner } = world;
    const body = serverBody('pg', {
      options: { host: 'db.example', user: 'quern', database: 'archive', schema: 's', connect_timeout: '1' },
      secrets: {},
    });
    expect(connections.prepareTest(owner, body)).toMatchObject({
      name: 'pg',
      kind: 'postgresql',
      level: 'READ',
      options: { database: 'archive', password: 'hunter2' },
    });
    expect(readAudit(world)).toEqual(['connection.test', 'connection.create']);
    expect(connections.get(owner, 'pg')).toMatchObject({ revision: 1, timeout_ms: 5_000 });
  });

  it('sends no stored secret to another host or kind', () => {
    const world = makeWorld();
    const { connections, owner } = world;
    const test = (more: object) => () => connections.prepareTest(owner, serverBody('pg', more));
    const elsewhere = { options: { host: 'evil.example', user: 'quern' }, secrets: {} };
    expect(refusalOf(test(elsewhere)).detail).toBe(
      'The secret password was stored for another host: send it again',
    );
    expect(refusalOf(test({ kind: 'mysql', secrets: {} })).detail).toBe(
      'The secret password was stored for another kind: send it again',
    );
    expect(test({ ...elsewhere, secrets: { password: 'new' } })().options).toMatchObject({ password: 'new' });
    expect(readAudit(world)).toEqual(['connection.test', 'connection.create']);
  });

  it('is for administrators, and for managers of the stored connection', () => {
    const world = makeWorld();
    const { connections, guest } = world;
    const test = (name: string) => () => connections.prepareTest(guest, serverBody(name, { secrets: {} }));
    expect(refusalOf(test('pg')).status).toBe(403);
    expect(refusalOf(test('new')).status).toBe(403);
    grant(world, 'pg', 'USE');
    expect(refusalOf(test('pg')).status).toBe(403);
    grant(world, 'pg', 'MANAGE');
    expect(test('pg')().options).toMatchObject({ password: 'hunter2' });
    expect(refusalOf(test('new')).status).toBe(403);
    const file = fileBody('pg', { options: { file: '/etc/x' } });
    expect(refusalOf(() => connections.prepareTest(guest, file)).status).toBe(403);
  });

  it('is not one of a model', () => {
    const { connections, owner } = createWorld();
    const body = { name: 'm', kind: 'semantic', options: { model: '@Shared/m' } };
    expect(refusalOf(() => connections.prepareTest(owner, body)).status).toBe(422);
  });
});

describe('a page of connections', () => {
  it('is selected by a part of the name and by kind', () => {
    const { connections, owner } = makeWorld();
    connections.create(owner, serverBody('PG archive'));
    connections.create(owner, fileBody('shop'), '/');
    const search = (search: Parameters<typeof connections.search>[1]) => {
      const { data, total } = connections.search(owner, search);
      return [data.map(({ name }) => name), total];
    };
    expect(search({})).toEqual([['PG archive', 'duckdb', 'pg', 'shop'], 4]);
    expect(search({ q: 'pg' })).toEqual([['PG archive', 'pg'], 2]);
    expect(search({ kind: 'duckdb', limit: 1 })).toEqual([['duckdb'], 2]);
    expect(search({ kind: 'duckdb', limit: 1, after: 'duckdb' })).toEqual([['shop'], 2]);
    expect(refusalOf(() => connections.search(owner, { limit: 1_001 })).status).toBe(400);
  });
});
