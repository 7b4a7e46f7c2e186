import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countOpenFiles } from '../../support/processes.ts';
import { waitUntilBusy } from '../../support/waiting.ts';
import { makeThreadHost, never } from '../hosts.ts';

const RUNS = 1000;
const QUERIES = [
  'from range(100000000000)',
  'select count(*) from range(100000000000) a, range(1000) b where a.range = b.range + 1',
  'select range, random() as r from range(1000000) order by r',
  'select 1; select count(*) from range(100000000000)',
  "copy (from range(100000000000)) to '/dev/null' (format csv)",
];

describe.skipIf(process.platform !== 'linux')('a thousand cancelled executions', () => {
  it('leave no open session and no file', async () => {
    const { host, folder, start } = makeThreadHost();
    const file = path.join(folder, 'data.duckdb');
    const run = (text: string, signal = never) => start(text, { file }, undefined, signal);
    await run('create table t as select 42 as x');
    const before = countOpenFiles('self');
    const counts = new Map<string, number>();
    for (let round = 0; round < RUNS; round += 4) {
      const ended = [0, 1, 2, 3].map(async (offset) => {
        const controller = new AbortController();
        const outcome = run(QUERIES[(round + offset) % QUERIES.length]!, controller.signal);
        await waitUntilBusy(process.pid, (round / 4 + offset * 3) % 11);
        controller.abort();
        return outcome;
      });
      for (const outcome of await Promise.all(ended)) {
        const code = outcome.status === 'failed' ? outcome.error.code : 'done';
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    expect([...counts]).toEqual([['cancelled', RUNS]]);
    await host.close();
    expect(countOpenFiles('self')).toBeLessThanOrEqual(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('spool'))).toEqual([]);
    // An open session keeps the file locked: another process can open it only when all sessions are closed.
    const script = `import { DuckDBInstance } from '@duckdb/node-api';
      const connection = await (await DuckDBInstance.create(${JSON.stringify(file)})).connect();
      console.log((await connection.runAndReadAll('from t')).getRows()[0][0]);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
    });
    expect(output.toString()).toBe('42\n');
  });
});
