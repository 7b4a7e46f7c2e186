import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as room from '../../src/connections/body.ts';
import { newConnection } from '../../src/server/manage/connections.ts';
import { fileBody, refusalOf, serverBody } from './world.ts';

/** Checks a body as its route reads it. */
function checkNewConnection(body: unknown, folder?: string) {
  return room.checkNewConnection(newConnection.readOnUse(body), folder);
}

function detailOf(body: unknown, folder?: string): string {
  const { status, detail } = refusalOf(() => checkNewConnection(body, folder));
  expect(status).toBe(400);
  return detail;
}

const longest = '🐎'.repeat(255);

describe('a name', () => {
  it.each(['a', 'my shop: été & co', 'postgresql', '-x', '__proto__', longest])('may be %j', (name) => {
    expect(checkNewConnection(fileBody(name), undefined).name).toBe(name);
  });

  it.each([
    [undefined, 'Connection name is required'],
    [null, 'Connection name is required'],
    ['', 'Connection name is required'],
    [7, 'Connection name must be a string'],
    ['a/b', "Connection name cannot contain '/' character"],
    [' a', 'Connection name must not begin or end with white space'],
    ['a\u00a0', 'Connection name must not begin or end with white space'],
    ['.', 'Connection name is not allowed'],
    ['..', 'Connection name is not allowed'],
    ['a\u001b[2Jb', 'Connection name is not allowed'],
    ['a\0b', 'Connection name must not contain a NUL character'],
    ['\ud83d', 'Connection name must be well-formed Unicode'],
    [`${longest}x`, 'Connection name exceeds 255 characters'],
  ])('cannot be %j', (name, detail) => {
    expect(detailOf(fileBody('x', { name }))).toBe(detail);
  });
});

describe('a kind', () => {
  it('is required, and must be known', () => {
    expect(detailOf({ name: 'x' })).toBe(
      'Kind is required: one of duckdb, postgresql, mysql, trino, semantic',
    );
    expect(refusalOf(() => checkNewConnection({ name: 'x', kind: 'postgres' }, undefined))).toEqual({
      status: 400,
      detail:
        'Unknown kind of connection: postgres; the kinds are duckdb, postgresql, mysql, trino, semantic',
      hint: 'did you mean `postgresql`?',
    });
    for (const kind of ['toString', '__proto__', 'DUCKDB']) {
      expect(detailOf({ name: 'x', kind })).toContain(`Unknown kind of connection: ${kind}`);
    }
  });
});

describe('options', () => {
  it('contain the options of the kind', () => {
    const body = serverBody('pg', { options: { user: 'a', prot: 1 } });
    expect(refusalOf(() => checkNewConnection(body, undefined))).toEqual({
      status: 400,
      detail: expect.stringMatching(
        /^Unknown option for postgresql: prot; the options are host, port, user, /,
      ),
      hint: 'did you mean `port`?',
    });
    expect(detailOf(fileBody('x', { options: { file: ':memory:', toString: 'x' } }))).toContain(
      'Unknown option for duckdb: toString',
    );
  });

  it('contain all required options', () => {
    expect(detailOf(fileBody('x', { options: {} }))).toBe('Option required for duckdb: file');
    expect(detailOf(serverBody('x', { options: { host: 'h' } }))).toBe(
      'Option required for postgresql: user',
    );
  });

  it.each([
    [{ user: 'a', port: '70000' }, 'Option port must be a whole number from 1 to 65535'],
    [{ user: 'a', port: 5432 }, 'Option port must be a string'],
    [{ user: '' }, 'Option user must not be empty'],
    [{ user: 'x'.repeat(4097) }, 'Option user exceeds 4096 characters'],
    [{ user: 'a\0b' }, 'Option user must not contain a NUL character'],
    [{ user: '\udc00' }, 'Option user must be well-formed Unicode'],
    [[], 'Options must be an object'],
    ['user=a', 'Options must be an object'],
  ])('cannot be %j', (options, detail) => {
    expect(detailOf(serverBody('pg', { options }))).toBe(detail);
  });

  it('and secrets are separate, and no error contains a secret', () => {
    const exposed = serverBody('pg', { options: { user: 'a', password: 'hunter2' } });
    expect(detailOf(exposed)).toBe(
      'Option password is a secret: pass it in secrets, so that it is stored encrypted',
    );
    expect(detailOf(serverBody('pg', { secrets: { user: 'hunter2' } }))).toBe(
      'Option user is not a secret: pass it in options',
    );
    expect(detailOf(serverBody('pg', { secrets: { password: 'hunter2\0' } }))).toBe(
      'Secret password must not contain a NUL character',
    );
    expect(detailOf(serverBody('pg', { secrets: { password: 'x'.repeat(16_385) } }))).toBe(
      'Secret password exceeds 16384 characters',
    );
    expect(detailOf(serverBody('pg', { secrets: { pasword: 'hunter2' } }))).not.toContain('hunter2');
    expect(detailOf(serverBody('pg', { secrets: 'hunter2' }))).toBe('Secrets must be an object');
  });

  it('contain absolute paths, or paths relative to a given folder', () => {
    const fileOf = (file: string, folder?: string) =>
      checkNewConnection(fileBody('x', { options: { file } }), folder).options.file;
    expect(fileOf('../a.duckdb', '/data/in')).toBe(path.resolve('/data/a.duckdb'));
    expect(fileOf('/b.duckdb', '/data/in')).toBe('/b.duckdb');
    expect(fileOf(':memory:', '/data/in')).toBe(':memory:');
    expect(fileOf(':memory:')).toBe(':memory:');
    expect(detailOf(fileBody('x', { options: { file: 'a.duckdb' } }))).toBe(
      'Option file must be an absolute path',
    );
    const certificate = serverBody('x', { options: { user: 'a', host: 'h', sslrootcert: 'ca.pem' } });
    expect(checkNewConnection(certificate, '/etc').options).toEqual({
      user: 'a',
      host: 'h',
      sslrootcert: path.resolve('/etc/ca.pem'),
    });
  });
});

describe('a host', () => {
  const hostOf = (host: string, kind = 'postgresql') => {
    const body = serverBody('x', { kind, options: { user: 'a', host } });
    return checkNewConnection(body, undefined).options.host;
  };

  it.each([
    'db.example',
    'DB',
    'bücher.example',
    'my_db',
    '10.0.0.7',
    '::1',
    'fe80::1%eth0',
    '127.evil.example',
  ])('may be %s', (host) => {
    for (const kind of ['postgresql', 'mysql', 'trino']) expect(hostOf(host, kind)).toBe(host);
  });

  it('may be the folder of a socket where the driver can use one', () => {
    for (const kind of ['postgresql', 'mysql']) expect(hostOf('/run/my db', kind)).toBe('/run/my db');
    expect(() => hostOf('/run/db', 'trino')).toThrow(
      'Option host must be the name or the address of a server',
    );
  });

  it.each([
    ['https://db.example', 'must be a name or an address, without `https://` or another scheme'],
    ['db.example:5432', 'must be a name or an address: the port is another option'],
    ['[::1]:5432', 'must be a name or an address: the port is another option'],
    ['[::1]', 'must be an address without brackets'],
    ['db example', 'must be the name or the address of a server'],
    [' db', 'must be the name or the address of a server'],
    ['a@db', 'must be the name or the address of a server'],
    ['db/x', 'must be the name or the address of a server'],
    ['db?x=1', 'must be the name or the address of a server'],
    ['1:2:3', 'must be the name or the address of a server'],
  ])('cannot be %j', (host, reason) => {
    for (const kind of ['postgresql', 'mysql', 'trino']) {
      expect(detailOf(serverBody('x', { kind, options: { user: 'a', host } }))).toBe(`Option host ${reason}`);
    }
  });
});

describe('the other fields', () => {
  it.each([
    [{ timeout_ms: 0 }, 'Timeout must be a whole number from 1 to 604800000'],
    [{ timeout_ms: 604_800_001 }, 'Timeout must be a whole number from 1 to 604800000'],
    [{ timeout_ms: '5' }, 'Timeout must be a whole number from 1 to 604800000'],
    [{ max_sessions: 1.5 }, 'Number of sessions must be a whole number from 1 to 1000'],
    [{ max_sessions: 1001 }, 'Number of sessions must be a whole number from 1 to 1000'],
    [{ description: 'x'.repeat(4001) }, 'Description exceeds 4000 characters'],
    [{ description: {} }, 'Description must be a string'],
    [{ allowed_overrides: 'schema' }, 'Allowed overrides must be a list'],
    [{ kind: 7, options: 7 }, 'Kind must be a string'],
    [
      { allowed_overrides: ['schema', 'file'] },
      'Unknown override for duckdb: file; the overrides are database, schema',
    ],
  ])('cannot be %j', (more, detail) => {
    expect(detailOf(fileBody('x', more))).toBe(detail);
  });

  it.each(['x', 7, []])('refuses a body that is not an object: %j', (body) => {
    expect(detailOf(body)).toBe('Body must be a JSON object');
  });

  it('are all absent without a body', () => {
    for (const body of [undefined, null]) expect(detailOf(body)).toBe('Connection name is required');
  });
});
