import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query, readError, readRows } from '../results.ts';
import { openElsewhere, tryElsewhere } from './process.ts';

const driver = await loadDriver('duckdb');

function connect(options: Readonly<Record<string, string>>): Promise<Connection> {
  return driver.connect({ name: 'test', kind: 'duckdb', options, overrides: {} }, never);
}

/** The path of a DuckDB file with one empty table. */
async function makeFile(): Promise<string> {
  const file = path.join(makeFolder(), 'data.duckdb');
  const connection = await connect({ file });
  await query(connection, 'CREATE TABLE t (a INTEGER)');
  await connection.close();
  return file;
}

describe('a file', () => {
  it('has one instance for all notations of its path', async () => {
    const file = await makeFile();
    const link = path.join(makeFolder(), 'link.duckdb');
    symlinkSync(file, link);
    const folder = path.dirname(file);
    const spellings = [
      file,
      link,
      path.relative('.', file),
      `${folder}/./../${path.basename(folder)}/data.duckdb`,
    ];
    const sessions = await Promise.all(spellings.map((spelling) => connect({ file: spelling })));
    await query(sessions[0]!, 'INSERT INTO t VALUES (42)');
    for (const session of sessions) expect(await query(session, 'FROM t')).toEqual([[42]]);
    await Promise.all(sessions.map((session) => session.close()));
    expect(await tryElsewhere(file)).toBe('open');
  });

  it('is the target of a link at the time of opening, and as long as it is open', async () => {
    const [one, other] = [await makeFile(), await makeFile()];
    const link = path.join(makeFolder(), 'link.duckdb');
    symlinkSync(one, link);
    const first = await connect({ file: link });
    await query(first, 'INSERT INTO t VALUES (1)');
    unlinkSync(link);
    symlinkSync(other, link);
    const second = await connect({ file: link });
    expect(await query(second, 'FROM t')).toEqual([[1]]);
    await Promise.all([first.close(), second.close()]);
    const third = await connect({ file: link });
    expect(await query(third, 'FROM t')).toEqual([]);
    await third.close();
  });

  it('has one instance also when it does not exist yet', async () => {
    const folder = makeFolder();
    const sessions = await Promise.all(
      ['new.duckdb', './new.duckdb'].map((name) => connect({ file: `${folder}/${name}` })),
    );
    await query(sessions[0]!, 'CREATE TABLE t AS SELECT 1 AS a');
    expect(await query(sessions[1]!, 'FROM t')).toEqual([[1]]);
    await Promise.all(sessions.map((session) => session.close()));
  });

  it('is closed with its last session', async () => {
    const file = await makeFile();
    const [one, other] = [await connect({ file }), await connect({ file })];
    await one.close();
    expect(await tryElsewhere(file)).toContain('lock');
    await other.close();
    expect(await tryElsewhere(file)).toBe('open');
  });

  it('can be opened again while it is being closed', async () => {
    const file = await makeFile();
    const first = await connect({ file });
    await query(first, 'INSERT INTO t VALUES (1)');
    const [second] = await Promise.all([connect({ file }), first.close()]);
    const [third] = await Promise.all([connect({ file }), second.close()]);
    expect(await query(third, 'FROM t')).toEqual([[1]]);
    await third.close();
  });

  it('is released after results that failed', async () => {
    const file = await makeFile();
    const connection = await connect({ file });
    const late = "SELECT CASE WHEN i = 1500000 THEN error('boom') ELSE i END FROM range(2000000) t(i)";
    expect((await readError(readRows(await connection.run(late, never)))).code).toBe('late');
    await query(connection, 'BEGIN');
    const left = await connection.run('FROM range(1000000000000)', never);
    if (left.kind === 'rows') for await (const _ of left.chunks) break;
    const unread = await connection.run('FROM range(1000000000000)', never);
    await connection.close();
    expect([left.kind, unread.kind]).toEqual(['rows', 'rows']);
    expect(await tryElsewhere(file)).toBe('open');
  });

  it('is released after two hundred cancelled statements', async () => {
    const file = await makeFile();
    const connection = await connect({ file });
    for (let i = 0; i < 200; i += 1) {
      const stop = new AbortController();
      const result = await connection.run('SELECT i, hash(i) FROM range(1000000000000) t(i)', stop.signal);
      const failure = readError(readRows(result));
      setImmediate(() => stop.abort());
      expect(await failure).toMatchObject({ code: 'cancelled' });
    }
    await connection.close();
    expect(await tryElsewhere(file)).toBe('open');
  });
});

describe('a file that cannot be opened', () => {
  it('is in use by another process, which the error names', async () => {
    const file = await makeFile();
    const holder = await openElsewhere(file);
    const error = await readError(connect({ file }));
    await holder.end();
    expect(error.code).toBe('locked');
    expect(error.message).toContain(`(PID ${holder.pid})`);
    expect(error.message).toContain('node');
    const connection = await connect({ file });
    await connection.close();
  });

  it.each([
    ['text', 'hello\n'.repeat(1000)],
    ['another database', `SQLite format 3\0${'x'.repeat(5000)}`],
    ['nothing', ''],
  ])('contains %s', async (_, content) => {
    const file = path.join(makeFolder(), 'data.duckdb');
    writeFileSync(file, content);
    expect(await readError(connect({ file }))).toMatchObject({
      code: 'unreachable',
      message: `The file "${file}" is not a DuckDB database.`,
    });
  });

  it('was written by a newer version of DuckDB', async () => {
    const file = await makeFile();
    const content = readFileSync(file);
    content.writeBigUInt64LE(99n, 12);
    content.writeBigUInt64LE(checksum(content.subarray(8, 4096)), 0);
    writeFileSync(file, content);
    const error = await readError(connect({ file }));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('version number 99,');
  });

  it('is damaged', async () => {
    const file = await makeFile();
    writeFileSync(file, readFileSync(file).fill(0x55, 4096, 8192));
    const error = await readError(connect({ file }));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain('checksum');
  });

  it('is a folder, or is in a missing folder', async () => {
    const folder = makeFolder();
    expect(await readError(connect({ file: folder }))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Is a directory'),
    });
    expect(await readError(connect({ file: `${folder}/missing/data.duckdb` }))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('No such file or directory'),
    });
  });

  it('can be opened after the problem is fixed', async () => {
    const file = path.join(makeFolder(), 'data.duckdb');
    writeFileSync(file, 'hello');
    await readError(connect({ file }));
    writeFileSync(file, readFileSync(await makeFile()));
    const connection = await connect({ file });
    expect(await query(connection, 'FROM t')).toEqual([]);
    await connection.close();
  });
});

/** DuckDB's checksum of a block. */
function checksum(block: Buffer): bigint {
  let sum = 5381n;
  for (let at = 0; at < block.length; at += 8) {
    sum ^= BigInt.asUintN(64, block.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  }
  return sum;
}

describe('options', () => {
  it('configure the instance and the session', async () => {
    const temporary = makeFolder();
    const connection = await connect({
      file: ':memory:',
      temp_directory: temporary,
      memory_limit: '512MiB',
      threads: '3',
      time_zone: 'Europe/Berlin',
    });
    const names = ['temp_directory', 'memory_limit', 'threads', 'TimeZone'];
    const settings = await query(
      connection,
      `SELECT ${names.map((name) => `current_setting('${name}')`).join(', ')}`,
    );
    expect(settings).toEqual([[temporary, '512.0 MiB', 3n, 'Europe/Berlin']]);
    await connection.close();
  });

  it('use UTC without a time zone, also after another session has set one', async () => {
    const file = await makeFile();
    const [one, other] = [await connect({ file, time_zone: 'Asia/Tokyo' }), await connect({ file })];
    const zone = "SELECT current_setting('TimeZone')";
    expect([await query(one, zone), await query(other, zone)]).toEqual([[['Asia/Tokyo']], [['UTC']]]);
    await Promise.all([one.close(), other.close()]);
  });

  it.each([
    [{}, 'needs the option "file"'],
    [{ file: ':memory:', color: 'red' }, 'no option "color"'],
    [{ file: ':memory:', memory_limit: 'much' }, 'The option "memory_limit" cannot be "much"'],
    [{ file: ':memory:', threads: '0' }, 'The option "threads" cannot be "0"'],
    [{ file: ':memory:', time_zone: 'Here' }, "Unknown TimeZone 'Here'"],
  ])('with invalid values are refused: %j', async (options, message) => {
    expect((await readError(connect(options))).message).toContain(message);
  });

  it('give each session a separate database in memory', async () => {
    const [one, other] = [await connect({ file: ':memory:' }), await connect({ file: ':memory:' })];
    await query(one, 'CREATE TABLE t (a INTEGER)');
    expect((await readError(query(other, 'FROM t'))).code).toBe('sql');
    await Promise.all([one.close(), other.close()]);
  });
});
