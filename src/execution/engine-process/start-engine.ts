import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Confinement } from './confinement.ts';
import { printConfinement } from './landlock.ts';

/** Environment variables that an engine process inherits; secrets arrive with the requests that need them. */
const INHERITED = ['PATH', 'HOME', 'TZ', 'LANG', 'LC_ALL'];
/** Inherited variables that contain paths. */
const INHERITED_PATHS = ['TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * Sizes of V8's space for new objects, in megabytes: its usual maximum, from the start. In a larger one, each of the many
 * collections during an export takes longer: with 32, an export of Arrow needs about 5 % more processor time.
 */
const YOUNG_SPACE = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/**
 * What the process may reserve in relation to the memory that it may use, because allocators keep freed parts; and bytes
 * for V8 and the stacks of threads.
 */
const RESERVE_FACTOR = 2;
const RESERVE_BYTES = 1024 ** 3;
const STACK_BYTES = 8 * 1024 ** 2;

/**
 * Offers a program to a system without memory before the server, limits its private memory to `$0` KB unless the limit
 * is lower already, then becomes the program.
 */
const LIMIT = '{ echo 500 >/proc/self/oom_score_adj; ulimit -d "$0"; } 2>/dev/null; exec "$@"';

export interface StartEngineOptions {
  /** The base folder of relative paths in SQL; by default, the working directory of this process. */
  readonly cwd?: string | undefined;
  /** Threads for databases, files and name lookups; each running statement uses one. */
  readonly threads: number;
  /** Maximum resident memory of the process, in bytes; null: no limit. */
  readonly memoryCeiling: number | null;
  /** Confines the process to its files; by default, it can open all files of its user. */
  readonly confinement?: Confinement | undefined;
  /** Receives lines for the operator: the standard error of the process, and why it ended. */
  readonly log: (line: string) => void;
}

/**
 * Starts the program of the engine process, built or from source. It listens in `folder`. Its standard output is
 * discarded.
 */
export async function startEngineProcess(options: StartEngineOptions, folder: string): Promise<ChildProcess> {
  const { cwd, threads, confinement, log } = options;
  const program = new URL(`./engine-process${path.extname(import.meta.filename)}`, import.meta.url);
  const inherited = {
    ...inherit(INHERITED, (value) => value),
    ...inherit(INHERITED_PATHS, (value) => path.resolve(value)),
    // The server runs the compiled code of its folder, which this process must not change.
    ...inherit(['NODE_COMPILE_CACHE'], (value) => path.resolve(value, 'engine')),
  };
  const places = (await confinement?.plan(program, inherited, folder)) ?? null;
  const confining = places === null ? [] : printConfinement(places);
  const [execPath = '', ...execArgv] = [
    ...printLimits(options),
    ...confining,
    process.execPath,
    ...YOUNG_SPACE,
  ];
  const child = fork(program, {
    cwd,
    env: { ...inherited, UV_THREADPOOL_SIZE: String(threads) },
    execPath,
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', log);
  return child;
}

/**
 * The command that limits the following program. A single allocation beyond the limit of memory then fails its
 * statement; without the limit it would be seen when the memory is in use, and would end the process.
 */
function printLimits({ memoryCeiling, threads }: StartEngineOptions): readonly string[] {
  if (process.platform !== 'linux') return [];
  const stacks = (threads + availableParallelism()) * STACK_BYTES;
  const bytes = (memoryCeiling ?? Number.POSITIVE_INFINITY) * RESERVE_FACTOR + RESERVE_BYTES + stacks;
  return ['/bin/sh', '-c', LIMIT, Number.isFinite(bytes) ? String(Math.floor(bytes / 1024)) : 'unlimited'];
}

/** The named variables that are set in this process. */
function inherit(names: readonly string[], carry: (value: string) => string): Record<string, string> {
  const variables = names.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, carry(value)] as const] : [];
  });
  return Object.fromEntries(variables);
}
