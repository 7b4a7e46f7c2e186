import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { postgresqlDriver } from '../../../../src/engine/connection/postgresql/driver.ts';
import { startPostgresql } from '../../../support/postgresql.ts';
import { makeFolder } from '../../../support/quern.ts';
import { watchSlow } from '../conformance/watch-slow.ts';
import { countRows, never, query, readError, readRows } from '../results.ts';
import {
  createConnect,
  describeUnusable,
  expectTrust,
  MISSING_SOCKET,
  makeCertificate,
} from '../server-errors.ts';

const server = inject('postgresql');
const connect = createConnect(postgresqlDriver, 'postgresql', server && { ...server });

/** Runs statements in a separate session, in order. */
async function prepare(...statements: readonly string[]): Promise<void> {
  const connection = await connect();
  for (const statement of statements) await query(connection, statement);
}

describe.skipIf(server === null)('an unavailable PostgreSQL server', () => {
  describeUnusable(connect, server?.password, [
    MISSING_SOCKET,
    ['a wrong password', { password: 'wrong' }, 'login', /password authentication failed/],
    ['no password', { password: '' }, 'login', /password/],
    ['an unknown user', { user: 'nobody' }, 'login', /password authentication failed/],
    ['an unknown database', { database: 'no such one' }, 'unreachable', /"no such one" does not exist/],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'sql', /Mars\/Olympus/],
  ]);

  it('does not read a password from the environment or a file', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'pgpass');
    writeFileSync(file, `*:*:*:*:${server!.password}\n`, { mode: 0o600 });
    const before = { ...process.env };
    Object.assign(process.env, { PGPASSWORD: server!.password, PGPASSFILE: file });
    try {
      expect((await readError(connect({ password: '' }))).code).toBe('login');
    } finally {
      process.env = before;
    }
  });
});

describe.skipIf(server === null)('a PostgreSQL server with TLS', () => {
  it('is trusted if the options allow it', async () => {
    const folder = makeFolder();
    const { key, certificate } = makeCertificate(folder);
    const tls = await startTls(key, certificate);
    try {
      const isEncrypted = async (options: Readonly<Record<string, string>>) => {
        const session = await connect(options);
        const { waitUntilSlow } = await watchSlow('postgresql', session, await connect(options));
        const stop = new AbortController();
        const slow = readError(session.run('SELECT pg_sleep(60)', stop.signal));
        await waitUntilSlow();
        stop.abort();
        expect((await slow).code).toBe('cancelled');
        return (await query(session, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'))[0]![0];
      };
      await expectTrust(connect, tls.options, certificate, isEncrypted);
    } finally {
      tls.stop();
    }
  });
});

describe.skipIf(server === null)('a PostgreSQL session', () => {
  it('fails when the server ends it during a result', async () => {
    const [reader, other] = [await connect(), await connect()];
    const [[id] = []] = await query(reader, 'SELECT pg_backend_pid()');
    const result = await reader.run('SELECT generate_series(0, 1000000000000) AS i', never);
    await query(other, `SELECT pg_terminate_backend(${String(id)})`);
    expect(await readError(readRows(result))).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/terminating connection|was lost/),
    });
    expect((await readError(reader.run('SELECT 1', never))).code).toBe('unreachable');
    expect(await countRows(other, 'SELECT 1')).toBe(1);
  });

  it('fails with `unreachable` when its server is killed, and cannot be reopened', async () => {
    const own = (await startPostgresql())!;
    const session = await connect(own.options);
    const result = await session.run('SELECT generate_series(0, 1000000000000) AS i', never);
    own.stop();
    expect((await readError(readRows(result))).code).toBe('unreachable');
    await session.close();
  });

  it('receives strings as UTF-8 and refuses another encoding', async () => {
    const session = await connect();
    const message = 'client_encoding must stay UTF8, the encoding of results.';
    const failure = await readError(query(session, "SET client_encoding = 'LATIN1'"));
    expect(failure).toMatchObject({ code: 'sql', message });
    await query(session, "SET client_encoding = 'utf-8'");
    expect(await query(session, "SELECT 'é'")).toEqual([['é']]);
  });

  it('refuses to copy from or to the client', async () => {
    const session = await connect();
    await query(session, 'CREATE TEMP TABLE copied (x int)');
    expect((await readError(session.run('COPY copied FROM STDIN', never))).message).toContain(
      'nothing to read',
    );
    expect((await readError(session.run('COPY (SELECT 1) TO STDOUT', never))).message).toContain(
      'the format',
    );
    await session.run('BEGIN', never);
    expect((await readError(session.run('COPY copied FROM STDIN', never))).message).toContain(
      'nothing to read',
    );
    await session.run('ROLLBACK', never);
    expect(await countRows(session, 'SELECT 1')).toBe(1);
  });

  it('accepts one statement at a time', async () => {
    const session = await connect();
    const error = await readError(session.run('SELECT 1; SELECT 2', never));
    expect(error.message).toContain('multiple commands');
    expect((await readError(session.run('SELECT $1::int', never))).code).toBe('sql');
    expect((await readError(session.run("SELECT 'a\0b'", never))).offset).toBe(9);
  });

  it('reads values of a hundred megabytes', async () => {
    const session = await connect();
    const { rows } = await readRows(
      await session.run("SELECT repeat('x', 100000000) AS big UNION ALL SELECT 'small'", never),
    );
    expect(rows.map(([text]) => (text as string).length)).toEqual([100_000_000, 5]);
  });

  it('suggests a cast for a value that it cannot read', async () => {
    const session = await connect();
    const error = await readError(readAll(session, "SELECT 'NaN'::numeric(5, 2) AS x"));
    expect(error.message).toBe(
      'The column "x" has the value `NaN`, which cannot be read as a decimal of 5 digits: cast it to text',
    );
    expect((await readError(readAll(session, 'SELECT ARRAY[[1, 2], [3, 4]] AS x'))).message).toBe(
      'The column "x" has an array of several dimensions, or one that does not begin at 1: cast it to text or JSON',
    );
    for (const time of ['294247-01-10 04:00:54.775807', '294276-12-31 23:59:59.999999']) {
      const late = await readError(readAll(session, `SELECT '${time}'::timestamp`));
      expect(late.message).toContain(`\`${time}\`, which cannot be read as a timestamp: cast it to text`);
    }
    await query(session, "SET datestyle = 'German'");
    expect((await readError(readAll(session, "SELECT DATE '2024-01-02'"))).message).toContain('as a date');
    expect(await countRows(session, 'SELECT 1')).toBe(1);
  });
});

describe.skipIf(server === null)('a PostgreSQL user with read access only', () => {
  it('cannot make temporary tables, and gets an error that names the missing right', async () => {
    await prepare(
      'DROP DATABASE IF EXISTS readable',
      'CREATE DATABASE readable',
      'REVOKE ALL ON DATABASE readable FROM PUBLIC',
      'DROP ROLE IF EXISTS reader',
      "CREATE ROLE reader LOGIN PASSWORD 'reads'",
      'GRANT CONNECT ON DATABASE readable TO reader',
    );
    const session = await connect({ user: 'reader', password: 'reads', database: 'readable' });
    const error = await readError(session.relations.createTable('quern_1', 'SELECT 1 AS x', never));
    expect(error.message).toContain('permission denied to create temporary tables in database "readable"');
    expect(session.relations.runsOnce).toBe('all');
    const rows = await query(
      session,
      'WITH q AS MATERIALIZED (SELECT random() AS r) SELECT a.r = b.r FROM q a, q b',
    );
    expect(rows).toEqual([[true]]);
  });
});

/** A server with a certificate; only its account can read its key. */
async function startTls(key: string, certificate: string) {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', path.dirname(key)]);
  execFileSync('chmod', ['600', key]);
  const settings = { ssl: 'on', ssl_key_file: key, ssl_cert_file: certificate };
  return (await startPostgresql(settings))!;
}

async function readAll(session: Connection, sql: string): Promise<void> {
  await readRows(await session.run(sql, never));
}
