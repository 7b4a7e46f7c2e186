import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** What an engine process inherits of its parent's environment; secrets come with the requests that need them. */
const INHERITED = ['PATH', 'HOME', 'TZ', 'LANG', 'LC_ALL'];
/** The same, of files and folders. */
const INHERITED_PATHS = [
  'TMPDIR',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

export interface StartEngineOptions {
  /** The folder where relative paths in SQL begin; without it, the one where this process is. */
  readonly cwd?: string | undefined;
  /** Threads for databases, files and names; each running statement takes one of them. */
  readonly threads: number;
  /** Takes lines for the operator: what the process writes to its standard error, and why it has ended. */
  readonly log: (line: string) => void;
}

/** Starts the program of the engine process, built or not. What it prints to its standard output is nobody's. */
export function startEngineProcess({ cwd, threads, log }: StartEngineOptions): ChildProcess {
  const program = new URL(`./engine-process${path.extname(import.meta.filename)}`, import.meta.url);
  const inherited = {
    ...inherit(INHERITED, (value) => value),
    ...inherit(INHERITED_PATHS, (value) => path.resolve(value)),
  };
  const child = fork(program, {
    cwd,
    env: { ...inherited, UV_THREADPOOL_SIZE: String(threads) },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', log);
  return child;
}

/** Variables of this process that are set, for another one. */
function inherit(names: readonly string[], carry: (value: string) => string): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, carry(value)] as const] : [];
  });
  return Object.fromEntries(found);
}
