import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const BINDINGS = createRequire(import.meta.url).resolve('@duckdb/node-bindings');

/**
 * Opens a file in another process, reports it, and keeps the file open until the input of the process ends.
 */
const SCRIPT = `
  const duckdb = require(${JSON.stringify(BINDINGS)});
  duckdb.open(process.argv[1]).then(
    () => console.log('open'),
    (error) => console.log(error.message),
  );
  process.stdin.resume().on('end', () => process.exit());
`;

/**
 * The result of opening a DuckDB file in another process: `open`, or the error. The process holds the file
 * until `end`.
 */
export async function openElsewhere(
  file: string,
): Promise<{ output: string; pid: number; end: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ['-e', SCRIPT, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout!, 'data')) as [Buffer];
  const end = async () => {
    child.stdin!.end();
    await once(child, 'exit');
  };
  return { output: output.toString().trim(), pid: child.pid!, end };
}

/** The same, but the process releases the file at once. */
export async function tryElsewhere(file: string): Promise<string> {
  const { output, end } = await openElsewhere(file);
  await end();
  return output;
}
