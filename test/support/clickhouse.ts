import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = path.join(import.meta.dirname, '../clickhouse');
/** The engine is larger than all other dependencies together, so it is installed separately. */
const PYTHON = path.join(FOLDER, '.venv/bin/python');

/**
 * Rows in ClickHouse's JSON format: numbers of more than 32 bits, decimals, dates and timestamps are strings.
 */
interface ClickHouseRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** ClickHouse in a separate process, with tables in memory. */
export interface ClickHouse {
  /** Rejects with the engine's message about a statement. */
  run(sql: string): Promise<ClickHouseRows>;
  stop(): Promise<void>;
}

/** Starts the engine; prints the reason and returns null if it is not installed. */
export function startClickHouse(): ClickHouse | null {
  if (!existsSync(PYTHON)) {
    process.stderr.write(
      "tests of ClickHouse's SQL are skipped: `.ci/run` installs chdb into test/clickhouse/.venv\n",
    );
    return null;
  }
  const child = spawn(PYTHON, [path.join(FOLDER, 'run.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  return createEngine(child);
}

function createEngine(child: ChildProcess): ClickHouse {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (sql: string): Promise<ClickHouseRows> => {
    child.stdin!.write(`${JSON.stringify(sql)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`ClickHouse's process ended at: ${sql}`);
    const answer = JSON.parse(value) as ClickHouseRows & { readonly error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  return {
    run(sql) {
      const next = last.then(() => ask(sql));
      last = next.catch(() => {});
      return next;
    },
    async stop() {
      child.stdin!.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
