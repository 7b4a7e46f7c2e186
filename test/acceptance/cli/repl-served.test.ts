import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { present } from '../../../src/invariants/must.ts';
import { connectTo } from '../../support/connect-to.ts';
import { findEngine } from '../../support/processes.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { serve, type TestServer } from '../../support/server.ts';
import { runSession, type Step } from '../../support/session-on-terminal.ts';
import { hasTerminal } from '../../support/type-on-terminal.ts';

const CSV = { args: 'repl --format csv' };
const LASTING = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b;';
const ENDED =
  'error: the database session has ended, with the open transaction and temporary objects; this statement did not run, and the next one opens a new session';
/** Leaves an open transaction and a temporary table. */
const BEGIN: readonly Step[] = [
  ['duckdb> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS i; BEGIN; INSERT INTO a VALUES (1);\r'],
  ['inserted 1 row', ''],
];
/** The next statement says that both have ended. */
const AFTER: readonly Step[] = [
  ['', 'DELETE FROM a;\r'],
  [ENDED, ''],
  ['duckdb> ', 'SELECT count(*) AS n FROM a;\r'],
  ['n\n2\n', '\u0004'],
];

async function makeTable(): Promise<string> {
  const cwd = await makeHome();
  await quern(['sql', 'CREATE TABLE a AS SELECT range AS i FROM range(2)'], { cwd });
  return cwd;
}

async function startServer(cwd: string, args: readonly string[] = []): Promise<TestServer> {
  const server = await serve(cwd, args);
  onTestFinished(() => server.kill());
  return server;
}

describe.skipIf(!hasTerminal)('a session on a home that a server has open', () => {
  it('shows the failed transaction of a cancelled statement, and keeps the session', async () => {
    const cwd = await makeTable();
    await startServer(cwd);
    const { screen } = await runSession(
      cwd,
      [
        ...BEGIN,
        ['duckdb*> ', `${LASTING}\r`],
        ['running SQL', '\u0003'],
        ['cancelled', ''],
        ['duckdb!> ', 'ROLLBACK;\r'],
        ['duckdb> ', 'SELECT i + 41 AS n FROM mine;\r'],
        ['n\n42\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('n\n42\n');
    expect(screen).not.toContain('keeps the file');
  });

  it('is rolled back by a backup, and the next statement says so', async () => {
    const cwd = await makeTable();
    await startServer(cwd);
    const backUp = () => quern(['admin', 'backup', 'a.tgz'], { cwd });
    const { screen } = await runSession(cwd, [...BEGIN, ['duckdb*> ', backUp], ...AFTER], CSV);
    expect(screen).toContain(ENDED);
  });

  it.each(['stop', 'kill'] as const)('is rolled back at the %s of the server', async (end) => {
    const cwd = await makeTable();
    const server = await startServer(cwd);
    const { screen } = await runSession(cwd, [...BEGIN, ['duckdb*> ', () => server[end]()], ...AFTER], CSV);
    expect(screen).toContain(ENDED);
  });

  it('is rolled back at the end of the engine, and the next statement says so', async () => {
    const cwd = await makeTable();
    const { pid } = await startServer(cwd);
    const endEngine = async () => process.kill(present(findEngine(pid)), 'SIGKILL');
    const { screen } = await runSession(
      cwd,
      [
        ...BEGIN,
        ['duckdb*> ', `${LASTING}\r`],
        ['running SQL', endEngine],
        ['the engine was restarted', ''],
        ['duckdb*> ', ''],
        ...AFTER,
      ],
      CSV,
    );
    expect(screen).toContain(ENDED);
  });

  it('is rolled back for the files of a new connection, and the next statement says so', async () => {
    const cwd = await makeTable();
    await startServer(cwd);
    const useOther = async () => {
      await quern(['connection', 'create', 'other', '--kind', 'duckdb', '--set', 'file=other.duckdb'], {
        cwd,
      });
      await quern(['sql', '-c', 'other', 'CREATE TABLE b AS SELECT 1 AS i'], { cwd });
    };
    const { screen } = await runSession(cwd, [...BEGIN, ['duckdb*> ', useOther], ...AFTER], CSV);
    expect(screen).toContain(ENDED);
  });

  it('runs where the home is open, when a server starts and ends', async () => {
    const cwd = await makeTable();
    let server: TestServer | null = null;
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', 'SELECT 1 AS n;\r'],
        [
          'n\n1\n',
          async () => {
            server = await startServer(cwd);
          },
        ],
        ['duckdb> ', 'SET VARIABLE x = 2;\r'],
        ['duckdb> ', "SELECT getvariable('x') AS n;\r"],
        ['n\n2\n', () => server!.stop()],
        ['duckdb> ', 'SELECT 3 AS n;\r'],
        ['with the settings; this statement did not run', ''],
        ['duckdb> ', 'SELECT 4 AS n;\r'],
        ['n\n4\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('n\n4\n');
  });

  it('is refused statements that would be lost, after four other sessions', async () => {
    const cwd = await makeTable();
    await startServer(cwd);
    const leave = Promise.withResolvers<void>();
    let kept = 0;
    const allKept = Promise.withResolvers<void>();
    const note = () => {
      kept += 1;
      if (kept === 4) allKept.resolve();
      return leave.promise;
    };
    const others = Array.from({ length: 4 }, () =>
      runSession(
        cwd,
        [
          ['duckdb> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS i;\r'],
          ['duckdb> ', note],
          ['', '\u0004'],
        ],
        CSV,
      ),
    );
    await allKept.promise;
    const refuse = (statement: string, word: string): readonly Step[] => [
      ['duckdb> ', `${statement}\r`],
      [`error: ${word} would have no effect: this home keeps no further session. End another one first`, ''],
    ];
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', 'INSERT INTO a VALUES (3);\r'],
        ['inserted 1 row', ''],
        ...refuse('BEGIN;', 'BEGIN'),
        ...refuse('CREATE TEMP TABLE b AS SELECT 1 AS i;', 'CREATE'),
        ...refuse('SET VARIABLE x = 1;', 'SET'),
        ...refuse('USE main;', 'USE'),
        ['duckdb> ', 'SELECT count(*) AS n FROM a;\r'],
        [
          'n\n3\n',
          async () => {
            leave.resolve();
            await Promise.all(others);
          },
        ],
        ['duckdb> ', 'BEGIN;\r'],
        ['duckdb*> ', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('the open transaction on duckdb was rolled back');
  });

  it.skipIf(inject('postgresql') === null)('keeps a session on PostgreSQL, with its settings', async () => {
    const cwd = await connectTo('postgresql', inject('postgresql'));
    await startServer(cwd);
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', "SET my.x = '40'; PREPARE p(int) AS SELECT current_setting('my.x')::int + $1 AS n;\r"],
        ['db> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS i; BEGIN; DELETE FROM mine;\r'],
        ['db*> ', 'ROLLBACK; EXECUTE p(2);\r'],
        ['n\n42\n', ''],
        ['db> ', 'SELECT count(*) AS n FROM mine;\r'],
        ['n\n1\n', '\u0004'],
      ],
      { args: 'repl --format csv -c db' },
    );
    expect(screen).toContain('n\n1\n');
  });

  it.skipIf(inject('mariadb') === null)('keeps a session on MariaDB, with its settings', async () => {
    const cwd = await connectTo('mysql', inject('mariadb'));
    await startServer(cwd);
    const { screen } = await runSession(
      cwd,
      [
        ['db> ', "SET @x = 40; PREPARE p FROM 'SELECT @x + ? AS n'; SET @y = 2;\r"],
        ['db> ', 'CREATE TEMPORARY TABLE mine AS SELECT 1 AS i; BEGIN; DELETE FROM mine;\r'],
        ['db*> ', 'ROLLBACK; EXECUTE p USING @y;\r'],
        ['n\n42\n', ''],
        ['db> ', 'SELECT count(*) AS n FROM mine;\r'],
        ['n\n1\n', '\u0004'],
      ],
      { args: 'repl --format csv -c db' },
    );
    expect(screen).toContain('n\n1\n');
  });
});

describe.skipIf(!hasTerminal)('a session on a file that another process has open', () => {
  it('names that process, and continues', async () => {
    const cwd = await makeTable();
    const leave = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const other = runSession(cwd, [
      ['duckdb> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS i;\r'],
      [
        'duckdb> ',
        () => {
          held.resolve();
          return leave.promise;
        },
      ],
      ['', '\u0004'],
    ]);
    await held.promise;
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', 'CREATE TEMP TABLE mine AS SELECT 1 AS i;\r'],
        [
          'in use by another process',
          async () => {
            leave.resolve();
            await other;
          },
        ],
        ['duckdb> ', 'CREATE TEMP TABLE mine AS SELECT 42 AS i;\r'],
        ['duckdb> ', 'FROM mine;\r'],
        ['i\n42\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('i\n42\n');
  });
});
