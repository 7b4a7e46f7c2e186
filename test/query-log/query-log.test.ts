import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { at, createLogWorld, makeQuery } from './log-world.ts';

const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A second connection to the file of the log. */
function connect(file: string): Sqlite.Database {
  const connection = new Sqlite(file);
  onTestFinished(() => void connection.close());
  return connection;
}

describe('the query log', () => {
  it('writes entries in batches after a short delay, and the rest when it is closed', () => {
    const { open, names, warnings } = createLogWorld();
    const log = open();
    const expected = Array.from({ length: 450 }, (_, index) => `q${index}`);
    for (const [index, name] of expected.entries()) log.record(makeQuery(name, at(index)));
    expect(names()).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(names({ limit: 1000 })).toEqual(expected.toReversed());
    log.record(makeQuery('last', at(1000)));
    log.close();
    expect(names({ limit: 1 })).toEqual(['last']);
    expect(warnings).toEqual([]);
  });

  it('stores every field of an entry', () => {
    const { open, list } = createLogWorld();
    const log = open();
    const query = makeQuery("@Shared/ü'🦆", at(1), {
      tokenId: 'token',
      startedAt: at(2),
      endedAt: at(3),
      durationMs: 1,
      rows: 10_000_000_000,
      bytes: 2 ** 40,
      outcome: 'failed',
      fault: 'sql',
      address: '::1',
      requestId: 'req',
      statement: { hash: 'abc', text: "SELECT '\u0000\n🦆'" },
    });
    log.record(query);
    log.close();
    expect(list()).toEqual([
      {
        id: query.id,
        user: 'ada',
        token: 'token',
        connection: 'duckdb',
        name: "@Shared/ü'🦆",
        hash: 'abc',
        text: "SELECT '\u0000\n🦆'",
        requested_at: at(1),
        started_at: at(2),
        ended_at: at(3),
        duration_ms: 1,
        rows: 10_000_000_000,
        bytes: 2 ** 40,
        outcome: 'failed',
        fault: 'sql',
        address: '::1',
        request_id: 'req',
      },
    ]);
  });

  it('is one file that only its owner can read, without a write-ahead log after use', () => {
    const { file, open, list } = createLogWorld();
    const log = open();
    log.record(makeQuery('q', at(0)));
    vi.advanceTimersByTime(250);
    const mine = () => readdirSync(path.dirname(file)).filter((name) => name.startsWith('queries'));
    for (const name of mine()) expect(statSync(path.join(path.dirname(file), name)).mode & 0o777).toBe(0o600);
    log.close();
    expect(list()).toHaveLength(1);
    expect(mine()).toEqual(['queries.db']);
  });

  it('deletes old entries in small batches when it is opened, and then once a day', () => {
    const world = createLogWorld();
    const first = world.open({ days: 3650 });
    for (let index = 0; index < 1_200; index += 1)
      first.record(makeQuery(`old${index}`, at(index - 31 * DAY)));
    first.record(makeQuery('kept', at(-30 * DAY)));
    first.record(makeQuery('later', at(-29.5 * DAY)));
    first.close();
    let now = world.clock().getTime();
    const log = world.open({ clock: () => new Date(now) });
    expect(world.list({ limit: 1_000 })).toHaveLength(702);
    vi.advanceTimersByTime(20);
    expect(world.list({ limit: 1_000 })).toHaveLength(202);
    vi.advanceTimersByTime(20);
    expect(world.names()).toEqual(['later', 'kept']);
    now += DAY;
    vi.advanceTimersByTime(DAY);
    expect(world.names()).toEqual([]);
    log.close();
  });

  it('keeps at most the configured number of entries, the newest ones', () => {
    const { open, names } = createLogWorld();
    const before = open({ maxEntries: 10 });
    for (let index = 0; index < 9; index += 1) before.record(makeQuery(`q${index}`, at(index)));
    before.close();
    const log = open({ maxEntries: 10 });
    for (let index = 9; index < 13; index += 1) log.record(makeQuery(`q${index}`, at(index)));
    vi.advanceTimersByTime(250);
    expect(names()).toEqual(['q12', 'q11', 'q10', 'q9', 'q8', 'q7', 'q6', 'q5', 'q4', 'q3']);
  });

  it('records an execution once when it is reported twice', () => {
    const { open, names } = createLogWorld();
    const log = open();
    const query = makeQuery('once', at(0));
    log.record(query);
    log.record({ ...query, requestedAt: at(5), name: 'twice' });
    log.close();
    expect(names()).toEqual(['once']);
  });
});

describe('a query log with a file error', () => {
  it('drops entries while another process locks its file, warns once, and continues afterwards', () => {
    const { file, open, names, warnings } = createLogWorld();
    const log = open();
    const other = connect(file);
    other.exec('BEGIN IMMEDIATE');
    for (const name of ['a', 'b', 'c']) {
      log.record(makeQuery(name, at(0)));
      vi.advanceTimersByTime(250);
    }
    expect(warnings).toEqual([
      `the query log cannot be written; entries are lost: ${file} cannot be used (database is locked)`,
    ]);
    other.exec('ROLLBACK');
    log.record(makeQuery('d', at(1)));
    vi.advanceTimersByTime(250);
    expect(warnings.slice(1)).toEqual(['the query log can be written again; lost entries: 3']);
    expect(names()).toEqual(['d']);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    ['is damaged', (file) => writeFileSync(file, 'x'.repeat(5_000)), /move it aside; a new one is created/],
    ['is a folder', (file) => void mkdirSync(file), /cannot be used/],
    [
      'is of a newer version',
      (file) => connect(file).pragma('user_version = 99'),
      /schema version 99, and this version of Quern knows versions up to \d/,
    ],
  ])('reports in a warning and to readers that its file %s', (_, spoil, message) => {
    const { file, open, list, warnings } = createLogWorld();
    spoil(file);
    const log = open();
    log.record(makeQuery('a', at(0)));
    vi.advanceTimersByTime(1_000);
    log.close();
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(() => list()).toThrow(
      expect.objectContaining({ name: 'HomeError', message: expect.stringMatching(message) }),
    );
  });

  it('starts to use its file when the file becomes usable', () => {
    const { file, open, names, warnings } = createLogWorld();
    mkdirSync(file);
    const log = open();
    rmdirSync(file);
    log.record(makeQuery('a', at(0)));
    vi.advanceTimersByTime(250);
    expect(names()).toEqual(['a']);
    expect(warnings).toHaveLength(2);
  });
});

describe('the entries of the log', () => {
  function fill() {
    const world = createLogWorld();
    const log = world.open();
    log.record(makeQuery('a', at(1), { user: 'Ada', userId: world.ada.userId, outcome: 'failed' }));
    log.record(makeQuery('b', at(2), { user: 'ada-before', userId: world.ada.userId, connection: 'shop' }));
    log.record(makeQuery('c', at(3).replace('000000Z', '000001Z'), { user: 'bob', outcome: 'left' }));
    log.record(makeQuery('d', at(3).replace('000000Z', '999999Z'), { user: 'ADA', userId: 'another' }));
    log.record(makeQuery('e', at(4), { user: 'bob', connection: null }));
    log.close();
    return world;
  }
  const time = (milliseconds: number) => new Date(at(milliseconds).slice(0, 23).concat('Z'));

  it.each<[object, string]>([
    [{}, 'edcba'],
    [{ limit: 2 }, 'ed'],
    [{ user: 'ADA' }, 'dba'],
    [{ user: 'nobody' }, ''],
    [{ connection: 'shop' }, 'b'],
    [{ connection: 'SHOP' }, ''],
    [{ outcome: 'left' }, 'c'],
    [{ since: time(3) }, 'edc'],
    [{ until: time(3) }, 'ba'],
    [{ since: time(2), until: time(4), user: 'ada' }, 'db'],
    [{ before: 'unknown' }, ''],
  ])('are filtered by %j', (filter, expected) => {
    expect(fill().names(filter).join('')).toBe(expected);
  });

  it('are listed page by page, while new ones arrive', () => {
    const world = fill();
    const [, second] = world.list({ limit: 2 });
    const log = world.open();
    log.record(makeQuery('f', at(5)));
    log.close();
    const next = world.list({ before: second!.id, limit: 2 });
    expect(next.map(({ name }) => name).join('')).toBe('cb');
    expect(world.names({ before: next[1]!.id }).join('')).toBe('a');
  });

  it.each([
    [{ limit: 0 }, 'Limit must be between 1 and 1000'],
    [{ limit: 1001 }, 'Limit must be between 1 and 1000'],
    [{ outcome: 'DONE' }, 'Outcome must be one of done, failed, cancelled, timeout, lost, left'],
    [{ outcome: '' }, 'Outcome must be one of done, failed, cancelled, timeout, lost, left'],
    [{ since: new Date('x') }, 'Since and until must be times'],
  ])('refuse the filter %j', (filter, detail) => {
    const { list } = createLogWorld();
    expect(() => list(filter)).toThrow(expect.objectContaining({ status: 400, detail }));
  });

  it('are only for administrators, and empty before the log exists', () => {
    const { list, ada, file } = createLogWorld();
    expect(() => list({}, ada)).toThrow(expect.objectContaining({ status: 403 }));
    expect(list()).toEqual([]);
    writeFileSync(file, '');
    expect(list()).toEqual([]);
  });
});
