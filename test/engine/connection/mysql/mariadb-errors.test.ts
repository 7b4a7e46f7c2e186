import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { startMariadb } from '../../../support/mariadb.ts';
import { makeServerFolder } from '../../../support/postgresql.ts';
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

const server = inject('mariadb');
const connect = createConnect(mysqlDriver, 'mysql', server && { ...server });

/** Runs a statement and returns its error. */
async function fail(session: Connection, sql: string) {
  const run = async () => {
    const result = await session.run(sql, never);
    if (result.kind === 'rows') await readRows(result);
  };
  return readError(run());
}

describe.skipIf(server === null)('an unavailable MariaDB server', () => {
  describeUnusable(connect, server?.password, [
    MISSING_SOCKET,
    ['a wrong password', { password: 'wrong' }, 'login', /Access denied for user 'quern'/],
    ['no password', { password: '' }, 'login', /Access denied .*using password: NO/],
    ['an unknown user', { user: 'nobody' }, 'login', /Access denied for user 'nobody'/],
    ['an unknown database', { database: 'no such one' }, 'sql', /Unknown database 'no such one'/],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'sql', /Mars\/Olympus.*offset such as/],
  ]);

  it('refuses two databases at once', async () => {
    const error = await readError(connect({}, never, { database: 'a', schema: 'b' }));
    expect(error).toMatchObject({ code: 'sql', message: expect.stringContaining('"a" and "b"') });
    const session = await connect({}, never, { database: 'mysql', schema: 'mysql' });
    expect(await query(session, 'SELECT DATABASE()')).toEqual([['mysql']]);
  });

  it('refuses more sessions than its limit', async () => {
    const session = await connect();
    await query(session, "CREATE OR REPLACE USER single@'%' IDENTIFIED BY 'one' WITH MAX_USER_CONNECTIONS 1");
    const single = { user: 'single', password: 'one', database: 'information_schema' };
    await connect(single);
    expect(await readError(connect(single))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('max_user_connections'),
    });
  });
});

describe.skipIf(server === null)('a MariaDB server with other settings', () => {
  const MODES = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,ORACLE,STRICT_ALL_TABLES';
  let own: NonNullable<Awaited<ReturnType<typeof startMariadb>>>;
  let [keys, certificate] = ['', ''];
  beforeAll(async () => {
    const { folder, as } = makeServerFolder('mysql');
    keys = folder;
    const made = makeCertificate(folder, as);
    certificate = made.certificate;
    own = (await startMariadb({
      'ssl-key': made.key,
      'ssl-cert': certificate,
      'max-allowed-packet': '1M',
      'sql-mode': MODES,
      'lower-case-table-names': '1',
    }))!;
  });
  afterAll(() => {
    own?.stop();
    rmSync(keys, { recursive: true });
  });

  it('is trusted if the options allow it', async () => {
    const isEncrypted = async (options: Readonly<Record<string, string>>) => {
      const session = await connect(options);
      const { waitUntilSlow } = await watchSlow('mysql', session, await connect(options));
      const stop = new AbortController();
      const slow = readError(session.run('SELECT SLEEP(60)', stop.signal));
      await waitUntilSlow();
      stop.abort();
      expect((await slow).code).toBe('cancelled');
      expect(await countRows(session, 'SELECT seq FROM seq_1_to_300000')).toBe(300_000);
      const [[, cipher] = []] = await query(session, "SHOW STATUS LIKE 'Ssl_cipher'");
      return cipher !== '';
    };
    await expectTrust(connect, own.options, certificate, isEncrypted);
  });

  it('reads strings as the scanner does', async () => {
    const session = await connect(own.options);
    expect(await query(session, `SELECT "it\\'s", 'a\\nb', 'é'`)).toEqual([["it's", 'a\nb', 'é']]);
    const [[mode] = []] = await query(session, 'SELECT @@sql_mode');
    expect(String(mode).split(',')).toContain('STRICT_ALL_TABLES');
    expect(mode).not.toMatch(/ANSI|BACKSLASH|ORACLE/);
  });

  it('does not receive a statement that is too long for it', async () => {
    const session = await connect(own.options);
    const error = await fail(session, `SELECT '${'x'.repeat(2 ** 20)}'`);
    expect(error).toMatchObject({ code: 'sql', message: expect.stringContaining('max_allowed_packet') });
    expect(await query(session, `SELECT LENGTH('${'x'.repeat(2 ** 20 - 100)}')`)).toEqual([[2 ** 20 - 100]]);
  });

  it('has names in lower case if it stores them so', async () => {
    const { publishing } = await connect(own.options);
    const target = await publishing.resolve('Mixed', 'Sales', never);
    expect(target).toMatchObject({ schema: 'mixed', name: 'sales' });
    await publishing.replaceTable(target, 'SELECT 1 AS x', { primary: [], unique: [] }, never);
    expect(await publishing.find(target, never)).toBe('table');
  });

  it('can be reached by its socket, or the folder of its socket', async () => {
    for (const host of [own.socket, path.dirname(own.socket)]) {
      const session = await connect({ ...own.options, host });
      expect(await query(session, 'SELECT 1')).toEqual([[1]]);
    }
  });
});

describe.skipIf(server === null)('a MariaDB session', () => {
  it('fails when the server ends it during a result', async () => {
    const [reader, other] = [await connect(), await connect()];
    const [[id] = []] = await query(reader, 'SELECT CONNECTION_ID()');
    const result = await reader.run('SELECT seq FROM seq_0_to_1000000000000', never);
    await query(other, `KILL CONNECTION ${String(id)}`);
    expect(await readError(readRows(result))).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/killed|was lost/),
    });
    expect((await readError(reader.run('SELECT 1', never))).code).toBe('unreachable');
    expect(await countRows(other, 'SELECT 1')).toBe(1);
  });

  it('fails with `unreachable` when its server is killed, and cannot be reopened', async () => {
    const own = (await startMariadb())!;
    const session = await connect(own.options);
    const result = await session.run('SELECT seq FROM seq_0_to_1000000000000', never);
    own.kill();
    expect((await readError(readRows(result))).code).toBe('unreachable');
    await session.close();
    expect((await readError(connect(own.options))).code).toBe('unreachable');
    own.stop();
  });

  it('continues after another session has cancelled its statement', async () => {
    const [session, other] = [await connect(), await connect()];
    const [[id] = []] = await query(session, 'SELECT CONNECTION_ID()');
    const { waitUntilSlow } = await watchSlow('mysql', session, other);
    const failure = fail(session, 'SELECT SLEEP(60)');
    await waitUntilSlow();
    await query(other, `KILL QUERY ${String(id)}`);
    expect((await failure).code).toBe('cancelled');
    expect(await countRows(session, 'SELECT 1')).toBe(1);
  });

  it('reads JSON that is valid UTF-8, and no other bytes', async () => {
    const session = await connect();
    const texts = await session.run("SELECT JSON_OBJECT('a', X'C3A4') AS x UNION ALL SELECT NULL", never);
    expect((await readRows(texts)).rows).toEqual([['{"a": "ä"}'], [null]]);
    const error = await fail(session, "SELECT JSON_OBJECT('a', X'E4') AS x");
    expect(error.message).toContain('cannot be read as JSON: cast it to text');
    expect(await countRows(session, 'SELECT 1')).toBe(1);
  });

  it('does not read a file of the client', async () => {
    const session = await connect();
    const file = path.join(makeFolder(), 'secret');
    writeFileSync(file, 'secret');
    await query(session, 'CREATE TEMPORARY TABLE loaded (x TEXT)');
    const error = await fail(session, `LOAD DATA LOCAL INFILE '${file}' INTO TABLE loaded`);
    expect(error.code).toBe('sql');
    expect(await countRows(session, 'SELECT * FROM loaded')).toBe(0);
  });

  it.each(['SET NAMES latin1', 'SET character_set_results = ucs2', 'SET character_set_results = NULL'])(
    'receives strings as UTF-8 and refuses %s',
    async (statement) => {
      const message = expect.stringContaining('character_set_results must stay utf8mb4');
      expect(await fail(await connect(), statement)).toMatchObject({ code: 'sql', message });
    },
  );

  it('can use other names of UTF-8, and send another character set', async () => {
    const session = await connect();
    await query(session, 'SET NAMES utf8');
    await query(session, 'SET character_set_connection = latin1');
    expect(await query(session, "SELECT CONVERT(_utf8mb4 'é' USING latin1)")).toEqual([['é']]);
  });

  it('accepts one statement at a time', async () => {
    const session = await connect();
    expect(await fail(session, 'SELECT 1; SELECT 2')).toMatchObject({ code: 'sql', offset: 10 });
    expect(await fail(session, 'SELECT ?')).toMatchObject({ code: 'sql', offset: 7 });
    expect(await query(session, "SELECT LENGTH('a\0b')")).toEqual([[3]]);
  });

  it('reads rows and sends statements that are longer than a packet', async () => {
    const session = await connect();
    const part = (letter: string) => `REPEAT('${letter}', 12000000)`;
    const { rows } = await readRows(
      await session.run(
        `SELECT ${part('x')} AS a, ${part('y')} AS b UNION ALL SELECT 'small', NULL UNION ALL SELECT REPEAT('z', 16777207), ''
         UNION ALL SELECT 'last', ${part('w')}`,
        never,
      ),
    );
    const shown = rows.map((row) =>
      row.map((text) => (text === null ? null : [(text as string).length, (text as string).at(-1)])),
    );
    expect(shown).toEqual([
      [
        [12_000_000, 'x'],
        [12_000_000, 'y'],
      ],
      [[5, 'l'], null],
      [
        [16_777_207, 'z'],
        [0, undefined],
      ],
      [
        [4, 't'],
        [12_000_000, 'w'],
      ],
    ]);
    for (const length of [2 ** 24 - 20, 2 ** 24, 2 ** 25 + 5]) {
      const text = 'x'.repeat(length);
      expect(await query(session, `SELECT LENGTH('${text}') AS n`)).toEqual([[length]]);
    }
    // One whose bytes fill a packet exactly.
    const exact = `SELECT LENGTH('${'x'.repeat(2 ** 24 - 2 - 17)}')`;
    expect(exact.length + 1).toBe(2 ** 24 - 1);
    expect(await countRows(session, exact)).toBe(1);
  });

  it('reads rows with many columns and NULLs', async () => {
    const session = await connect();
    const columns = Array.from({ length: 1000 }, (_, i) => `${i % 3 === 0 ? 'NULL' : `seq + ${i}`} AS c${i}`);
    const { rows } = await readRows(
      await session.run(`SELECT ${columns.join(', ')} FROM seq_1_to_5000`, never),
    );
    expect(rows.length).toBe(5000);
    expect(
      rows.every((row, n) =>
        row.every((value, i) => (i % 3 === 0 ? value === null : Number(value) === n + 1 + i)),
      ),
    ).toBe(true);
  });

  it('returns timestamps in UTC, with any time zone', async () => {
    const session = await connect({ time_zone: '+02:00' });
    await query(session, 'CREATE TEMPORARY TABLE at (x TIMESTAMP)');
    await query(session, "INSERT INTO at VALUES ('2024-01-02 03:04:05')");
    const read = async () => readRows(await session.run('SELECT x FROM at', never));
    const local = await read();
    expect(local.columns[0]!.type).toMatchObject({ utc: false });
    expect(local.rows).toEqual([[1_704_164_645_000_000n]]);
    await query(session, "SET time_zone = '+00:00'");
    const instant = await read();
    expect(instant.columns[0]!.type).toMatchObject({ utc: true });
    expect(instant.rows).toEqual([[1_704_164_645_000_000n - 7_200_000_000n]]);
  });
});

describe.skipIf(server === null)('an error of MariaDB', () => {
  it.each([
    ['SELECT 1,\n  nothing FROM (SELECT 1 AS one) AS t', 'nothing', "Unknown column 'nothing'"],
    ["SELECT 'nothing', t.nothing FROM (SELECT 1 AS one) AS t", 't.nothing', "Unknown column 't.nothing'"],
    ['SELECT nothing.x FROM nothing', 'nothing', "doesn't exist"],
    ['SELECT 1 -- nothing\n FROM `nothing`', '`nothing`', "doesn't exist"],
    ['SELECT 1 FROM nowhere.nothing', 'nowhere.nothing', "Table 'nowhere.nothing' doesn't exist"],
    ['SELECT nothing(1)', 'nothing(1)', 'FUNCTION test.nothing does not exist'],
    ['DROP TABLE nothing', 'nothing', "Unknown table 'test.nothing'"],
    ['SELECT 1,\n FROM DUAL', 'FROM DUAL', "SQL syntax near 'FROM DUAL'"],
    [`SELECT '💛',\n FROM '💛é${'x'.repeat(200)}'`, "FROM '💛é", 'SQL syntax near'],
    ['SELECT 1\n\nFROM DUAL WHERE ?', '?', "SQL syntax near '?'"],
    ["SELECT '(a+b)' FRM x y", 'x y', "near 'x y'"],
  ])('has a position in the statement: %s', async (sql, place, message) => {
    const error = await fail(await connect(), sql);
    const expected = place === 'nothing' ? sql.lastIndexOf(place) : sql.indexOf(place);
    expect(error).toMatchObject({ code: 'sql', offset: expected });
    expect(error.message).toContain(message);
    expect(error.message).not.toMatch(/at line|manual/);
  });

  it.each([
    ['DELIMITER //\nCREATE TABLE t (i INT)', 'leave it out, and end each routine with `;`'],
    ['IF 1 = 1 THEN SELECT 1', 'MariaDB needs `BEGIN NOT ATOMIC IF … END IF; END`'],
  ])('has advice on a statement that only clients or routines accept: %s', async (sql, advice) => {
    const error = await fail(await connect(), sql);
    expect(error.code).toBe('sql');
    expect(error.message).toContain(advice);
  });

  it('has no position if the server does not report one', async () => {
    const session = await connect();
    expect((await fail(session, 'SELECT (SELECT 1 UNION SELECT 2)')).offset).toBeUndefined();
    const end = await fail(session, 'SELECT 1 FROM DUAL WHERE  ');
    expect(end).toMatchObject({ offset: 'SELECT 1 FROM DUAL WHERE'.length });
    expect(end.message).toContain('at the end');
  });
});

describe.skipIf(server === null)('a MariaDB user with read access only', () => {
  it('gets an error that names the missing right', async () => {
    const owner = await connect();
    await query(owner, "CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'reads'");
    await query(owner, 'CREATE OR REPLACE TABLE readable AS SELECT 1 AS x');
    await query(owner, "GRANT SELECT ON test.readable TO reader@'%'");
    const session = await connect({ user: 'reader', password: 'reads' });
    expect(await query(session, 'SELECT * FROM readable')).toEqual([[1]]);
    const error = await readError(session.relations.createTable('quern_1', 'SELECT 1 AS x', never));
    expect(error).toMatchObject({
      code: 'sql',
      message: expect.stringContaining("Access denied for user 'reader'"),
    });
    const target = await session.publishing.resolve(null, 'readable', never);
    const publish = session.publishing.replaceTable(
      target,
      'SELECT 2 AS x',
      { primary: [], unique: [] },
      never,
    );
    expect((await readError(publish)).message).toContain('CREATE command denied');
    expect(await query(session, 'SELECT * FROM readable')).toEqual([[1]]);
    expect(await session.relations.isRepeatable('SELECT x FROM readable', never)).toBe(true);
  });
});
