import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';
import { runSession } from '../../support/session-on-terminal.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { hasTerminal } from '../../support/type-on-terminal.ts';
import { connect } from './demo.ts';

describe.skipIf(!(hasCluster && hasTerminal)).each([
  ['a home', false],
  ['a home that a server has open', true],
])('a session on Trino of %s', (_, isServed) => {
  const getCluster = useCluster();
  const options = { args: 'repl --format csv --connection lake' };

  async function makeConnectedHome(): Promise<string> {
    const cwd = await makeHome();
    await connect(cwd, 'lake', getCluster(), { catalog: 'tpch' });
    if (isServed) {
      const server = await serve(cwd);
      onTestFinished(() => server.kill());
    }
    return cwd;
  }

  it('keeps session properties, the schema and prepared statements', async () => {
    const cwd = await makeConnectedHome();
    const { screen, code } = await runSession(
      cwd,
      [
        ['lake> ', "SET SESSION query_max_run_time = '7m';\r"],
        ['lake> ', "SHOW SESSION LIKE 'query_max_run_time';\r"],
        ['query_max_run_time,7m,', ''],
        ['lake> ', 'USE tpch.tiny;\r'],
        ['lake> ', 'SELECT count(*) + 40 AS n FROM region;\r'],
        ['n\n45\n', ''],
        ['lake> ', 'PREPARE p FROM SELECT name FROM nation WHERE nationkey = ?;\r'],
        ['lake> ', 'EXECUTE p USING 7;\r'],
        ['GERMANY\n', ''],
        ['lake> ', 'DEALLOCATE PREPARE p;\r'],
        ['lake> ', 'EXECUTE p USING 7;\r'],
        ['Prepared statement not found: p', ''],
        ['lake> ', 'RESET SESSION query_max_run_time;\r'],
        ['lake> ', "SHOW SESSION LIKE 'query_max_run_time';\r"],
        ['query_max_run_time,100.00d,', ''],
        ['lake> ', '\u0004'],
      ],
      options,
    );
    expect(screen).not.toContain('was rolled back');
    expect(code).toBe(0);
  });

  it('keeps a transaction of a catalog that has them', async () => {
    const cwd = await makeConnectedHome();
    const { screen } = await runSession(
      cwd,
      [
        ['lake> ', 'START TRANSACTION;\r'],
        ['lake*> ', 'SELECT count(*) + 40 AS n FROM tpch.tiny.region;\r'],
        ['n\n45\n', ''],
        ['lake*> ', 'COMMIT;\r'],
        ['lake> ', 'START TRANSACTION;\r'],
        ['lake*> ', 'CREATE TABLE memory.default.not_in_a_transaction (i INTEGER);\r'],
        ['error', ''],
        ['lake!> ', 'ROLLBACK;\r'],
        ['lake> ', '\u0004'],
      ],
      options,
    );
    expect(screen).toContain('Catalog only supports writes using autocommit: memory');
  });
});
