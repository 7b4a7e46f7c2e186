import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld, fileBody, grant, refusalOf, serverBody } from './world.ts';

const SPILL = '/tmp/run-1';
const TIME = expect.stringMatching(/^2026-03-01T00:00:00\.\d{3}Z$/);

/** The bytes of all files of a home, except the key. */
function bytesOf(home: string): string {
  const files = readdirSync(home).filter((name) => name.startsWith('catalog.db'));
  return files.map((name) => readFileSync(join(home, name), 'latin1')).join('');
}

describe('a new home', () => {
  it('has a duckdb connection, whose file belongs to the home', () => {
    const { connections, owner } = createWorld();
    expect(connections.list(owner)).toEqual([
      {
        name: 'duckdb',
        kind: 'duckdb',
        description: 'the database of this home',
        options: { file: '/home/db/main.duckdb' },
        secrets: [],
        allowed_overrides: ['database', 'schema'],
        timeout_ms: null,
        max_sessions: null,
        revision: 1,
        created_at: TIME,
        updated_at: TIME,
      },
    ]);
    expect(connections.resolve(owner, { name: 'duckdb', overrides: {}, spillFolder: SPILL })).toEqual({
      spec: {
        name: 'duckdb',
        kind: 'duckdb',
        options: { file: '/home/db/main.duckdb', temp_directory: SPILL },
        overrides: {},
        level: 'USE',
      },
      timeoutMs: null,
      timeoutSource: 'the connection `duckdb`',
      maxSessions: null,
    });
  });

  it('keeps the duckdb connection unchanged', () => {
    const { connections, owner } = createWorld();
    const refusal = {
      status: 422,
      detail: 'Connection duckdb is part of every home: it can be neither removed nor replaced',
    };
    expect(refusalOf(() => connections.delete(owner, 'duckdb'))).toMatchObject(refusal);
    expect(refusalOf(() => connections.replace(owner, fileBody('duckdb')))).toMatchObject(refusal);
    expect(refusalOf(() => connections.create(owner, fileBody('duckdb')))).toMatchObject({ status: 409 });
    expect(connections.get(owner, 'duckdb').revision).toBe(1);
  });
});

describe('a connection', () => {
  it('is stored with all given fields, and returned without its secrets', () => {
    const { home, connections, owner } = createWorld();
    const body = serverBody('pg', {
      description: 'the warehouse',
      allowedOverrides: ['schema'],
      timeoutMs: 30_000,
      maxSessions: 3,
    });
    const shown = {
      name: 'pg',
      kind: 'postgresql',
      description: 'the warehouse',
      options: { host: 'db.example', user: 'quern' },
      secrets: ['password'],
      allowed_overrides: ['schema'],
      timeout_ms: 30_000,
      max_sessions: 3,
      revision: 1,
      created_at: TIME,
      updated_at: TIME,
    };
    expect(connections.create(owner, body)).toEqual(shown);
    expect(connections.get(owner, 'pg')).toEqual(shown);
    expect(connections.list(owner).map(({ name }) => name)).toEqual(['duckdb', 'pg']);
    expect(bytesOf(home)).toContain('db.example');
    expect(bytesOf(home)).not.toContain('hunter2');
    expect(bytesOf(home)).not.toContain(Buffer.from('hunter2').toString('base64').replace(/=+$/, ''));
  });

  it('is resolved with its secrets, its limits and the overrides of a run', () => {
    const world = createWorld();
    world.connections.create(world.owner, serverBody('pg', { timeoutMs: 5 }));
    const { connections, owner } = createWorld({ home: world.home });
    const overrides = { database: 'sales', schema: 'raw' };
    expect(connections.resolve(owner, { name: 'pg', overrides, spillFolder: SPILL })).toEqual({
      spec: {
        name: 'pg',
        kind: 'postgresql',
        options: { host: 'db.example', user: 'quern', password: 'hunter2' },
        overrides,
        level: 'USE',
      },
      timeoutMs: 5,
      timeoutSource: 'the connection `pg`',
      maxSessions: 10,
    });
  });

  it.each([
    [undefined, ['database', 'schema']],
    [
      ['schema', 'database'],
      ['database', 'schema'],
    ],
    [['database'], ['database']],
    [[], []],
  ])('with the allowed overrides %j accepts only %j', (allowedOverrides, allowed) => {
    const { connections, owner } = createWorld();
    connections.create(owner, fileBody('shop', { allowedOverrides }));
    expect(connections.get(owner, 'shop').allowed_overrides).toEqual(allowed);
    for (const key of ['database', 'schema', 'file', 'password', '__proto__', '']) {
      const resolve = () =>
        connections.resolve(owner, {
          name: 'shop',
          overrides: Object.fromEntries([[key, 'x']]),
          spillFolder: SPILL,
        });
      if (allowed.includes(key)) expect(resolve().spec.overrides).toEqual({ [key]: 'x' });
      else expect(refusalOf(resolve)).toMatchObject({ status: 400, detail: `Override not allowed: ${key}` });
    }
  });

  it.each(['', 'x'.repeat(4097), 'a\0b', '\ud800'])('refuses %j as an override', (value) => {
    const { connections, owner } = createWorld();
    const overrides = { schema: value };
    const resolve = () => connections.resolve(owner, { name: 'duckdb', overrides, spillFolder: SPILL });
    expect(refusalOf(resolve)).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/^Override schema /),
    });
  });

  it('has a unique name, with exact spelling', () => {
    const { connections, owner } = createWorld();
    connections.create(owner, fileBody('shop'));
    expect(refusalOf(() => connections.create(owner, serverBody('shop')))).toMatchObject({
      status: 409,
      detail: 'Connection already exists: shop',
    });
    expect(connections.get(owner, 'shop')).toMatchObject({ kind: 'duckdb', revision: 1 });
    connections.create(owner, fileBody('Shop'));
    connections.create(owner, fileBody('my shop: été & co'));
    expect(connections.list(owner).map(({ name }) => name)).toEqual([
      'Shop',
      'duckdb',
      'my shop: été & co',
      'shop',
    ]);
  });

  it('is replaced as a whole, including its secrets', () => {
    const { database, connections, owner } = createWorld();
    const idOf = () => database.statement("SELECT id FROM connections WHERE name = 'pg'").get();
    connections.replace(owner, serverBody('pg', { description: 'old', timeoutMs: 5 }));
    const before = idOf();
    const replaced = connections.replace(owner, serverBody('pg', { secrets: {} }));
    expect(replaced).toMatchObject({ secrets: [], description: '', timeout_ms: null, revision: 2 });
    expect(replaced.updated_at > replaced.created_at).toBe(true);
    expect(idOf()).toEqual(before);
    const { spec } = connections.resolve(owner, { name: 'pg', overrides: {}, spillFolder: SPILL });
    expect(spec.options).toEqual({ host: 'db.example', user: 'quern' });
    expect(connections.replace(owner, fileBody('pg'))).toMatchObject({ kind: 'duckdb', revision: 3 });
  });

  it('is deleted together with its secrets', () => {
    const { database, connections, owner } = createWorld();
    connections.create(owner, serverBody('pg'));
    expect(database.statement('SELECT count(*) AS n FROM connection_secrets').get()).toEqual({ n: 1 });
    connections.delete(owner, 'pg');
    expect(database.statement('SELECT count(*) AS n FROM connection_secrets').get()).toEqual({ n: 0 });
    expect(refusalOf(() => connections.delete(owner, 'pg'))).toMatchObject({ status: 404 });
  });

  it('that does not exist is an error, with the name of a similar one', () => {
    const { connections, owner } = createWorld();
    connections.create(owner, fileBody('warehouse'));
    const acts = [
      () => connections.get(owner, 'warehose'),
      () => connections.delete(owner, 'warehose'),
      () => connections.resolve(owner, { name: 'warehose', overrides: { no: 'x' }, spillFolder: SPILL }),
    ];
    for (const act of acts) {
      expect(refusalOf(act)).toEqual({
        status: 404,
        detail: 'Connection not found: warehose',
        hint: 'did you mean `warehouse`?',
      });
    }
    expect(refusalOf(() => connections.get(owner, 'x')).hint).toBeUndefined();
  });

  it('is read again after another process has replaced or deleted it', () => {
    const { home, connections, owner } = createWorld();
    const other = createWorld({ home });
    const findFile = () =>
      connections.resolve(owner, { name: 'shop', overrides: {}, spillFolder: SPILL }).spec.options.file;
    connections.create(owner, fileBody('shop'));
    expect(findFile()).toBe('/data/shop.duckdb');
    other.connections.replace(owner, fileBody('shop', { options: { file: '/data/other.duckdb' } }));
    expect(findFile()).toBe('/data/other.duckdb');
    other.connections.delete(owner, 'shop');
    expect(refusalOf(findFile)).toMatchObject({ status: 404 });
  });

  it('of a kind from a later version is listed, but cannot be opened', () => {
    const { database, connections, owner } = createWorld();
    connections.create(owner, fileBody('later'));
    database.write(() =>
      database.statement("UPDATE connections SET kind = 'oracle' WHERE name = 'later'").run(),
    );
    expect(connections.get(owner, 'later')).toMatchObject({ kind: 'oracle', allowed_overrides: [] });
    const resolve = () => connections.resolve(owner, { name: 'later', overrides: {}, spillFolder: SPILL });
    expect(refusalOf(resolve)).toMatchObject({
      status: 422,
      detail: 'Connection later is of the kind oracle, which this version of Quern does not support',
    });
  });
});

describe('secrets', () => {
  const request = { overrides: {}, spillFolder: SPILL };

  it('cannot be swapped between connections', () => {
    const { database, connections, owner } = createWorld();
    connections.create(owner, serverBody('one'));
    connections.create(owner, serverBody('two', { secrets: { password: 'other' } }));
    const rows = database
      .statement<{ connection_id: string; ciphertext: string }>('SELECT * FROM connection_secrets')
      .all();
    const update = database.statement('UPDATE connection_secrets SET ciphertext = ? WHERE connection_id = ?');
    database.write(() =>
      rows.map((row, index) => update.run(rows[1 - index]!.ciphertext, row.connection_id)),
    );
    for (const name of ['one', 'two']) {
      expect(() => connections.resolve(owner, { ...request, name })).toThrow(
        `the password of the connection ${name} is damaged: store the secret again`,
      );
    }
  });

  it('need their key, and everything else works without it', () => {
    const { home, connections, owner } = createWorld();
    connections.create(owner, serverBody('pg'));
    const other = createWorld({ home, masterKey: 'ab'.repeat(32) });
    expect(() => other.connections.resolve(owner, { ...request, name: 'pg' })).toThrow(
      expect.objectContaining({ code: 'key', message: expect.stringContaining('a different master key') }),
    );
    expect(() => other.connections.create(owner, serverBody('second'))).toThrow(
      expect.objectContaining({ code: 'key' }),
    );
    expect(other.connections.list(owner).map(({ name }) => name)).toEqual(['duckdb', 'pg']);
    other.connections.create(owner, fileBody('shop'));
    other.connections.replace(owner, serverBody('pg', { secrets: { password: 'new' } }));
    expect(other.connections.resolve(owner, { ...request, name: 'pg' }).spec.options.password).toBe('new');
  });

  it('are lost with their key, and no new key is created while they exist', () => {
    const { home, connections, owner } = createWorld();
    connections.create(owner, serverBody('pg'));
    rmSync(join(home, 'secret.key'));
    const later = createWorld({ home }).connections;
    expect(() => later.resolve(owner, { ...request, name: 'pg' })).toThrow('secret.key is missing');
    expect(() => later.create(owner, serverBody('second'))).toThrow('secret.key is missing');
    expect(readdirSync(home)).not.toContain('secret.key');
    later.delete(owner, 'pg');
    later.create(owner, serverBody('second'));
    expect(readdirSync(home)).toContain('secret.key');
  });

  it('are stored with the connection or not at all', () => {
    const { database, connections, owner } = createWorld({ masterKey: 'no key' });
    expect(() => connections.create(owner, serverBody('pg'))).toThrow('QUERN_MASTER_KEY must hold 32 bytes');
    expect(database.statement('SELECT name FROM connections').all()).toEqual([{ name: 'duckdb' }]);
  });
});

describe('the rights on connections', () => {
  const denied = { status: 403, detail: "You don't have permission to access this connection" };

  it('do not allow anything without a grant', () => {
    const { connections, owner, guest } = createWorld();
    connections.create(owner, fileBody('shop'));
    expect(connections.list(guest).map(({ name }) => name)).toEqual(['duckdb']);
    expect(refusalOf(() => connections.get(guest, 'shop'))).toMatchObject(denied);
    expect(
      refusalOf(() => connections.resolve(guest, { name: 'shop', overrides: {}, spillFolder: SPILL })),
    ).toMatchObject(denied);
    expect(refusalOf(() => connections.create(guest, fileBody('other')))).toMatchObject({
      status: 403,
      detail: "You don't have permission to perform the request",
    });
    expect(refusalOf(() => connections.get(guest, 'shpo'))).toMatchObject({ status: 404, hint: undefined });
  });

  it('allow only the use with USE', () => {
    const world = createWorld();
    const { connections, owner, guest } = world;
    connections.create(owner, fileBody('shop'));
    grant(world, 'shop', 'USE');
    expect(connections.list(guest)).toHaveLength(2);
    expect(connections.resolve(guest, { name: 'shop', overrides: {}, spillFolder: SPILL }).spec.name).toBe(
      'shop',
    );
    expect(refusalOf(() => connections.get(guest, 'shpo')).hint).toBe('did you mean `shop`?');
    expect(refusalOf(() => connections.replace(guest, fileBody('shop')))).toMatchObject(denied);
    expect(refusalOf(() => connections.delete(guest, 'shop'))).toMatchObject(denied);
    expect(refusalOf(() => connections.delete(guest, 'duckdb'))).toMatchObject(denied);
    grant(world, 'shop', 'NONE');
    expect(refusalOf(() => connections.get(guest, 'shop'))).toMatchObject(denied);
  });

  it('allow everything with MANAGE, except creating another connection', () => {
    const world = createWorld();
    const { connections, owner, guest } = world;
    connections.create(owner, fileBody('shop'));
    grant(world, 'shop', 'MANAGE');
    expect(connections.replace(guest, fileBody('shop'), '/data').revision).toBe(2);
    expect(connections.locate(guest, 'shop')).toBe(connections.locate(owner, 'shop'));
    expect(refusalOf(() => connections.locate(guest, 'duckdb'))).toMatchObject(denied);
    const viewer = { ...guest, viewsOnly: true };
    expect(connections.get(viewer, 'shop').name).toBe('shop');
    expect(refusalOf(() => connections.delete(viewer, 'shop'))).toMatchObject(denied);
    connections.delete(guest, 'shop');
    expect(refusalOf(() => connections.replace(guest, fileBody('shop')))).toMatchObject({ status: 403 });
  });

  it('on files of the server are only for administrators and for local callers', () => {
    const world = createWorld();
    const { connections, owner, guest } = world;
    connections.create(owner, fileBody('shop'));
    grant(world, 'shop', 'MANAGE');
    expect(refusalOf(() => connections.replace(guest, fileBody('shop')))).toMatchObject({
      status: 403,
      detail: 'Only administrators may name files of the server',
    });
    expect(connections.get(guest, 'shop')).toMatchObject({ revision: 1, options: {} });
    expect(connections.get(guest, 'duckdb').options).toEqual({});
    expect(connections.get(owner, 'shop').options).toEqual({ file: '/data/shop.duckdb' });
    const memory = fileBody('shop', { options: { file: ':memory:' } });
    expect(connections.replace(guest, memory).options).toEqual({ file: ':memory:' });
  });

  it('of a creator stay when the creator is no longer an administrator', () => {
    const { connections, owner } = createWorld();
    connections.create(owner, fileBody('shop'));
    const former = { ...owner, superUser: false };
    expect(connections.replace(former, fileBody('shop'), '/data').revision).toBe(2);
    expect(refusalOf(() => connections.delete(former, 'duckdb'))).toMatchObject(denied);
  });

  it('allow everyone to use duckdb by default, and administrators everything', () => {
    const { connections, owner, guest } = createWorld();
    connections.create(owner, serverBody('pg'));
    expect(connections.list(guest).map(({ name }) => name)).toEqual(['duckdb']);
    expect(refusalOf(() => connections.get(guest, 'pg'))).toMatchObject(denied);
    expect(refusalOf(() => connections.get(guest, 'gp')).hint).toBeUndefined();
    expect(refusalOf(() => connections.create(guest, fileBody('mine')))).toMatchObject({ status: 403 });
    expect(refusalOf(() => connections.delete(guest, 'duckdb'))).toMatchObject(denied);
  });
});
