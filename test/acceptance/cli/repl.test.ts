import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { runSession } from '../../support/session-on-terminal.ts';
import { hasTerminal } from '../../support/type-on-terminal.ts';

const LASTING = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b;';

describe.skipIf(!hasTerminal)('quern repl', () => {
  it('runs statements over several lines, until Ctrl-D', async () => {
    const cwd = await makeHome();
    const { screen, code } = await runSession(cwd, [
      ['duckdb> ', 'SELECT 6 * 7\r'],
      ['     -> ', 'AS answer;\r'],
      ['1 row', ''],
      ['duckdb> ', '\u0004'],
    ]);
    expect(screen).toContain('│     42 │');
    expect(code).toBe(0);
  });

  it('completes the running statement after Ctrl-D', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', 'SELECT 6 * 7 AS answer;\r\u0004'],
    ]);
    expect(screen).toContain('│     42 │');
    expect(code).toBe(0);
  });

  it('starts with `quern sql` without SQL, with its options', async () => {
    const { screen } = await runSession(
      await makeHome(),
      [
        ['duckdb> ', 'SELECT 1 AS a;\r'],
        ['a\n1\n', ''],
        ['duckdb> ', '.quit\r'],
      ],
      { args: 'sql --format csv' },
    );
    expect(screen).toContain('a\n1\n');
  });

  it('reports an error with its position, and continues', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', 'SELECT * FROM nothing;\r'],
      ['sql:1:15: error', ''],
      ['duckdb> ', '.nope\r'],
      ['unknown command `.nope`; .help lists the commands', ''],
      ['duckdb> ', '.quit\r'],
    ]);
    expect(screen).toContain('nothing does not exist');
    expect(code).toBe(0);
  });

  it('cancels a running statement with Ctrl-C, or clears the line', async () => {
    const { screen, code } = await runSession(await makeHome(), [
      ['duckdb> ', `${LASTING}\r`],
      ['running SQL', '\u0003'],
      ['cancelled', ''],
      ['duckdb> ', 'half a line'],
      ['half a line', '\u0003'],
      ['^C\n', "SELECT 'alive' AS state;\r"],
      ['alive │', '\u0004'],
    ]);
    expect(screen).toContain('│ alive │');
    expect(code).toBe(0);
  });

  it('lists tables and columns, and completes their names', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'CREATE TABLE lighthouses (height INTEGER)'], { cwd });
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '.tables\r'],
      ['1 row', ''],
      ['duckdb> ', '.schema lighthouses\r'],
      ['INTEGER', ''],
      ['duckdb> ', 'SELECT * FROM light\t'],
      ['lighthouses', ' LIMIT 0;\r'],
      ['0 rows', '\u0004'],
    ]);
    expect(screen).toContain('BASE TABLE');
    expect(screen).toContain('│ height │');
  });

  it('changes connection, format and timer, and reads a file', async () => {
    const cwd = await makeHome();
    await quern(['connection', 'create', 'other', '--kind', 'duckdb', '--set', 'file=other.duckdb'], { cwd });
    writeFiles(cwd, { 'two.sql': 'SELECT 2 AS two' });
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '.format json\r'],
      ['format json', ''],
      ['duckdb> ', '.timer on\r'],
      ['timer on', ''],
      ['duckdb> ', '.connection other\r'],
      ['other> ', '.read two.sql\r'],
      ['"data":[[2]]', ''],
      [' s\n', ''],
      ['other> ', '.read none.sql\r'],
      ['none.sql', ''],
      ['other> ', '.quit\r'],
    ]);
    expect(screen).toContain('"data":[[2]]');
    expect(screen).toMatch(/^\d+\.\d{3} s$/m);
  });

  it('prints all results of an entered text and of a file, with an empty line between', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'three.sql': 'SELECT 4 AS d;\nSELECT 5 AS e;\nSELECT 6 AS f' });
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', 'SELECT 1 AS a; SELECT 2 AS b; SELECT 3 AS c;\r'],
        ['c\n3\n', ''],
        ['duckdb> ', '.read three.sql\r'],
        ['f\n6\n', ''],
        ['duckdb> ', '.quit\r'],
      ],
      { args: 'repl --format csv' },
    );
    expect(screen).toContain('a\n1\n\nb\n2\n\nc\n3\n');
    expect(screen).toContain('d\n4\n\ne\n5\n\nf\n6\n');
    expect(screen).not.toContain('not shown');
  });

  it('says which statements of a file were done before an error', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, {
      'three.sql': 'CREATE TABLE a AS SELECT 1 AS i; INSERT INTO a VALUES (2); SELECT nothing; SELECT 4',
    });
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '.read three.sql\r'],
      ['three.sql:1:', ''],
      ['duckdb> ', 'SELECT count(*) + 40 AS n FROM a;\r'],
      ['42', '\u0004'],
    ]);
    expect(screen).toContain('Done before it: statements 1 and 2\n');
  });

  it('keeps the history in a file that only the user can read', async () => {
    const cwd = await makeHome();
    await runSession(cwd, [
      ['duckdb> ', 'SELECT 1;\r'],
      ['1 row', '\u0004'],
    ]);
    const file = path.join(cwd, '.quern_history');
    expect(readFileSync(file, 'utf8')).toBe('SELECT 1;\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const { screen } = await runSession(cwd, [
      ['duckdb> ', '\u001b[A'],
      ['SELECT 1;', '\u007f + 1;\r'],
      ['1 row', '\u0004'],
    ]);
    expect(screen).toContain('1 row');
    expect(readFileSync(file, 'utf8')).toBe('SELECT 1 + 1;\nSELECT 1;\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('needs a terminal', async () => {
    expect(await quern(['repl'], { cwd: await makeHome() })).toMatchObject({
      exitCode: 2,
      stderr: 'error: a session needs a terminal; to run SQL from a pipe, use `quern sql -`\n',
    });
  });
});
