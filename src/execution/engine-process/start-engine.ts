import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Environment variables that an engine process inherits; secrets arrive with the requests that need them. */
const INHERITED = ['PATH', 'HOME', 'TZ', 'LANG', 'LC_ALL'];
/** Inherited variables that contain paths. */
const INHERITED_PATHS = [
  'TMPDIR',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * Sizes of V8's space for new objects, in megabytes: its usual maximum, from the start. In a larger one, each of the many
 * collections during an export takes longer: with 32, an export of Arrow needs about 5 % more processor time.
 */
const YOUNG_SPACE = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

export interface StartEngineOptions {
  /** The base folder of relative paths in SQL; by default, the working directory of this process. */
  readonly cwd?: string | undefined;
  /** Threads for databases, files and name lookups; each running statement uses one. */
  readonly threads: number;
  /** Receives lines for the operator: the standard error of the process, and why it ended. */
  readonly log: (line: string) => void;
}

/** Starts the program of the engine process, built or from source. Its standard output is discarded. */
export function startEngineProcess({ cwd, threads, log }: StartEngineOptions): ChildProcess {
  const program = new URL(`./engine-process${path.extname(import.meta.filename)}`, import.meta.url);
  const inherited = {
    ...inherit(INHERITED, (value) => value),
    ...inherit(INHERITED_PATHS, (value) => path.resolve(value)),
  };
  const child = fork(program, {
    cwd,
    env: { ...inherited, UV_THREADPOOL_SIZE: String(threads) },
    execArgv: YOUNG_SPACE,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', log);
  return child;
}

/** The named variables that are set in this process. */
function inherit(names: readonly string[], carry: (value: string) => string): Record<string, string> {
  const found = names.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, carry(value)] as const] : [];
  });
  return Object.fromEntries(found);
}
