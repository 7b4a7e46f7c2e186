import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const BINDINGS = createRequire(import.meta.url).resolve('@duckdb/node-bindings');

/** Opens a file in another process, says so, and keeps it until its input ends. */
const SCRIPT = `
  const duckdb = require(${JSON.stringify(BINDINGS)});
  duckdb.open(process.argv[1]).then(
    () => console.log('open'),
    (error) => console.log(error.message),
  );
  process.stdin.resume().on('end', () => process.exit());
`;

/** What another process gets when it opens a DuckDB file: `open`, or the error. It holds the file until `end`. */
export async function openElsewhere(
  file: string,
): Promise<{ said: string; pid: number; end: () => Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ['-e', SCRIPT, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  const end = async () => {
    child.stdin!.end();
    await once(child, 'exit');
  };
  return { said: said.toString().trim(), pid: child.pid!, end };
}

/** The same, and the file is let go at once. */
export async function tryElsewhere(file: string): Promise<string> {
  const { said, end } = await openElsewhere(file);
  await end();
  return said;
}
