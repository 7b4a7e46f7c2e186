import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { connectTo } from '../../support/connect-to.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';
import { runSession, type Step } from '../../support/session-on-terminal.ts';
import { hasTerminal } from '../../support/type-on-terminal.ts';

const HELD = 'this session now keeps the file of duckdb open, so other processes cannot open it';

/** A home that a server has open. */
async function makeServedHome(making = makeHome()): Promise<string> {
  const cwd = await making;
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  return cwd;
}

interface Database {
  readonly make: () => Promise<string>;
  readonly connection: string;
  /** A name that no other test uses. */
  readonly table: string;
  readonly use: string;
  readonly showSchema: string;
  readonly settings: readonly Step[];
}

const DUCKDB = {
  connection: 'duckdb',
  use: 'CREATE SCHEMA other; USE other;',
  showSchema: 'SELECT current_schema();',
} as const;

const POSTGRESQL = {
  connection: 'db',
  table: 'repl_a',
  use: 'CREATE SCHEMA IF NOT EXISTS other; SET search_path TO other;',
  showSchema: 'SELECT current_schema();',
  settings: [
    ['db> ', "SET my.x = '40'; PREPARE p(int) AS SELECT current_setting('my.x')::int + $1;\r"],
    ['db> ', 'EXECUTE p(2);\r'],
    ['42\n', ''],
  ],
} as const;

const MARIADB = {
  connection: 'db',
  table: 'repl_a',
  use: 'CREATE DATABASE IF NOT EXISTS other; USE other;',
  showSchema: 'SELECT database();',
  settings: [
    ['db> ', "SET @x = 40; PREPARE p FROM 'SELECT @x + ?'; SET @y = 2;\r"],
    ['db> ', 'EXECUTE p USING @y;\r'],
    ['42\n', ''],
  ],
} as const;

const DATABASES: readonly (readonly [name: string, isThere: boolean, database: Database])[] = [
  [
    'DuckDB',
    true,
    {
      ...DUCKDB,
      make: makeHome,
      table: 'a',
      settings: [
        ['duckdb> ', "SET VARIABLE x = 40; SET threads = 1; PREPARE p AS SELECT getvariable('x') + $1;\r"],
        ['duckdb> ', 'EXECUTE p(2);\r'],
        ['42\n', ''],
        ['duckdb> ', "SELECT current_setting('threads') + 76;\r"],
        ['77\n', ''],
      ],
    },
  ],
  [
    'DuckDB in a server',
    true,
    {
      ...DUCKDB,
      make: () => makeServedHome(),
      table: 'a',
      settings: [
        ['duckdb> ', 'SET VARIABLE x = 40;\r'],
        ['duckdb> ', "SELECT getvariable('x') + 2;\r"],
        ['42\n', ''],
        ['duckdb> ', 'SET threads = 1;\r'],
        ['error', ''],
      ],
    },
  ],
  [
    'PostgreSQL',
    inject('postgresql') !== null,
    { ...POSTGRESQL, make: () => connectTo('postgresql', inject('postgresql')) },
  ],
  [
    'PostgreSQL in a server',
    inject('postgresql') !== null,
    { ...POSTGRESQL, make: () => makeServedHome(connectTo('postgresql', inject('postgresql'))) },
  ],
  ['MariaDB', inject('mariadb') !== null, { ...MARIADB, make: () => connectTo('mysql', inject('mariadb')) }],
  [
    'MariaDB in a server',
    inject('mariadb') !== null,
    { ...MARIADB, make: () => makeServedHome(connectTo('mysql', inject('mariadb'))) },
  ],
];

describe.each(DATABASES)('a session on %s', (_, isThere, database) => {
  const { make, connection, table, use, showSchema, settings } = database;
  const args = `repl --format csv --connection ${connection}`;
  const [prompt, open] = [`${connection}> `, `${connection}*> `];
  const read = async (cwd: string) => {
    const sql = `SELECT count(*) AS n FROM ${table}`;
    const { stdout } = await quern(['sql', sql, '-c', connection, '--format', 'csv'], { cwd });
    return String(stdout);
  };
  let cwd: string;

  beforeEach(async () => {
    if (!isThere || !hasTerminal) return;
    cwd = await make();
    for (const sql of [`DROP TABLE IF EXISTS ${table}`, `CREATE TABLE ${table} (i INT)`]) {
      const { exitCode, stderr } = await quern(['sql', sql, '-c', connection], { cwd });
      if (exitCode !== 0) throw new Error(String(stderr));
    }
  });

  it.skipIf(!isThere || !hasTerminal)('keeps transactions until they end', async () => {
    const { screen, code } = await runSession(
      cwd,
      [
        [prompt, `INSERT INTO ${table} VALUES (1), (2);\r`],
        ['inserted 2 rows', ''],
        [prompt, 'BEGIN;\r'],
        [open, `DELETE FROM ${table};\r`],
        ['deleted 2 rows', ''],
        [open, `SELECT count(*) AS n FROM ${table};\r`],
        ['n\n0', ''],
        [open, 'ROLLBACK;\r'],
        [prompt, `SELECT count(*) + 5 AS n FROM ${table};\r`],
        ['n\n7', ''],
        [prompt, `BEGIN; UPDATE ${table} SET i = 9 WHERE i = 1; COMMIT;\r`],
        ['updated 1 row', ''],
        [prompt, `SELECT max(i) AS m FROM ${table};\r`],
        ['m\n9', ''],
        [prompt, `BEGIN; DELETE FROM ${table};\r`],
        [open, '.quit\r'],
      ],
      { args },
    );
    expect(screen).toContain(`the open transaction on ${connection} was rolled back`);
    expect(code).toBe(0);
    expect(await read(cwd)).toBe('n\n2\n');
  });

  it.skipIf(!isThere || !hasTerminal)('keeps temporary objects, settings and the schema', async () => {
    const { screen } = await runSession(
      cwd,
      [
        [prompt, 'CREATE TEMPORARY TABLE mine AS SELECT 30 AS b;\r'],
        [prompt, 'SELECT b + 1 AS c FROM mine;\r'],
        ['c\n31', ''],
        ...settings,
        [prompt, `${use}\r`],
        [prompt, `${showSchema}\r`],
        ['\nother\n', ''],
        [prompt, '\u0004'],
      ],
      { args },
    );
    expect(screen).toContain('\nother\n');
    const gone = await quern(['sql', 'SELECT * FROM mine', '-c', connection], { cwd });
    expect(gone.exitCode).toBe(3);
  });

  it.skipIf(!isThere || !hasTerminal)('runs a file in its transaction', async () => {
    writeFileSync(
      path.join(cwd, 'a.sql'),
      `INSERT INTO ${table} VALUES (1); INSERT INTO ${table} VALUES (2);`,
    );
    await runSession(
      cwd,
      [
        [prompt, 'BEGIN;\r'],
        [open, '.read a.sql\r'],
        ['inserted 1 row\ninserted 1 row', ''],
        [open, 'ROLLBACK;\r'],
        [prompt, '\\i a.sql\r'],
        ['inserted 1 row\ninserted 1 row', ''],
        [prompt, '\\q\r'],
      ],
      { args },
    );
    expect(await read(cwd)).toBe('n\n2\n');
  });

  it.skipIf(!isThere || !hasTerminal)('rolls back a transaction when the connection changes', async () => {
    const { screen } = await runSession(
      cwd,
      [
        [prompt, `BEGIN; INSERT INTO ${table} VALUES (1);\r`],
        [open, '.connection nothing\r'],
        ['Connection not found', ''],
        [open, '.connection duckdb\r'],
        ['connection duckdb', ''],
        ['duckdb> ', 'exit\r'],
      ],
      { args },
    );
    expect(screen).toContain(`the open transaction on ${connection} was rolled back\nconnection duckdb`);
    expect(await read(cwd)).toBe('n\n0\n');
  });
});

describe.skipIf(inject('postgresql') === null || !hasTerminal)('a session whose server ends it', () => {
  it('says what has ended with it, and opens a new one', async () => {
    const cwd = await connectTo('postgresql', inject('postgresql'));
    const end = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%of this test%' AND pid <> pg_backend_pid()`;
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS a;\r'],
        ['db> ', 'BEGIN;\r'],
        ['db*> ', "SELECT 'of this test';\r"],
        ['1 row', () => quern(['sql', end, '-c', 'db'], { cwd })],
        ['db*> ', 'DELETE FROM mine;\r'],
        ['the open transaction and temporary objects', ''],
        ['db> ', 'SELECT 40 + 2 AS answer;\r'],
        ['42', '\u0004'],
      ],
      { args: 'repl -c db' },
    );
    expect(screen).toContain('with the open transaction and temporary objects');
    expect(screen).not.toContain('was rolled back');
  });

  it('shows a failed transaction', async () => {
    const cwd = await connectTo('postgresql', inject('postgresql'));
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', 'BEGIN;\r'],
        ['db*> ', 'SELECT 1 / 0;\r'],
        ['division by zero', ''],
        ['db!> ', 'ROLLBACK;\r'],
        ['db> ', '\u0004'],
      ],
      { args: 'repl -c db' },
    );
    expect(screen).toContain('db!> ');
  });

  it('cancels a statement, and keeps its temporary objects', async () => {
    const cwd = await connectTo('postgresql', inject('postgresql'));
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', 'CREATE TEMP TABLE mine AS SELECT 41 AS a;\r'],
        ['db> ', 'SELECT pg_sleep(3600);\r'],
        ['running SQL', '\u0003'],
        ['cancelled', ''],
        ['db> ', 'SELECT a + 1 AS b FROM mine;\r'],
        ['42', '\u0004'],
      ],
      { args: 'repl -c db' },
    );
    expect(screen).toContain('42');
  });
});

describe.skipIf(inject('mariadb') === null || !hasTerminal)('a session whose MariaDB server ends it', () => {
  it('says what has ended with it, and opens a new one', async () => {
    const cwd = await connectTo('mysql', inject('mariadb'));
    const run = async (sql: string) =>
      String((await quern(['sql', sql, '-c', 'db', '--format', 'csv'], { cwd })).stdout);
    const end = async () => {
      const [, id] = (await run("SELECT IS_USED_LOCK('of this test') AS id")).split('\n');
      await run(`KILL ${id}`);
    };
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', "CREATE TEMPORARY TABLE mine AS SELECT 1 AS a; SELECT GET_LOCK('of this test', 0);\r"],
        ['db> ', 'START TRANSACTION; DELETE FROM mine;\r'],
        ['deleted 1 row', end],
        ['db*> ', 'DELETE FROM mine;\r'],
        ['with the open transaction and temporary objects', ''],
        ['db> ', 'SELECT 40 + 2 AS answer;\r'],
        ['42', '\u0004'],
      ],
      { args: 'repl -c db' },
    );
    expect(screen).not.toContain('was rolled back');
  });
});

describe.skipIf(!hasTerminal)('the file of a DuckDB connection', () => {
  it('is free while a session has nothing in it, and held from the first statement that leaves something', async () => {
    const cwd = await makeHome();
    const codes: number[] = [];
    const look = async () => {
      const { exitCode } = await quern(['sql', 'SELECT count(*) FROM a'], { cwd });
      codes.push(exitCode ?? -1);
    };
    const { screen } = await runSession(cwd, [
      ['duckdb> ', 'CREATE TABLE a AS SELECT 1 AS i; INSERT INTO a VALUES (2);\r'],
      ['inserted 1 row', ''],
      ['duckdb> ', look],
      ['', 'CREATE TEMP TABLE b AS SELECT 1 AS i;\r'],
      [HELD, ''],
      ['duckdb> ', look],
      ['', 'CREATE TEMP TABLE c AS SELECT 1 AS i;\r'],
      ['duckdb> ', '.connection duckdb\r'],
      ['connection duckdb', ''],
      ['duckdb> ', look],
      ['', '\u0004'],
    ]);
    expect(codes).toEqual([0, 5, 0]);
    expect(screen.split(HELD)).toHaveLength(2);
  });
});
