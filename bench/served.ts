import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from './bench.ts';
import { measureWorker } from './measure.ts';

/** The program as it is published. */
export const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
/** The folder of the programs that benches run. */
export const workers = path.join(import.meta.dirname, 'workers');

const started: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** A home, and a token for it. */
export interface Filled {
  readonly home: string;
  readonly token: string;
}

/** A server of a home, and a token for it. */
export interface Served extends Filled {
  readonly port: string;
  readonly pid: number;
}

/** Starts a program that prints its port when it is ready; it ends with this process. */
export async function start(filled: Filled, args: readonly string[]): Promise<Served> {
  return awaitPort(filled, spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }));
}

async function awaitPort(filled: Filled, child: ChildProcess): Promise<Served> {
  started.push(child);
  child.unref();
  for await (const line of child.stdout!) {
    return { ...filled, port: /(\d+)\s*$/.exec(String(line))![1]!, pid: child.pid! };
  }
  throw new Error(`${child.spawnargs.join(' ')} has ended`);
}

const toServe = ({ home }: Filled) => [quern, 'serve', '--port', '0', '--home', home];

/** Starts the server of a home. */
export function serve(filled: Filled): Promise<Served> {
  return start(filled, toServe(filled));
}

/** The longest time for which the main thread of a server was blocked, in milliseconds: wall time and processor time. */
type Stall = Required<Pick<Figures, 'stall' | 'turn'>>;

/** A server whose main thread is watched. */
export interface Watched extends Served {
  /** Reads the longest block of that thread since the last call. */
  readStall(): Promise<Stall>;
}

/** Starts the server of a home, and watches it. */
export async function serveWatched(filled: Filled): Promise<Watched> {
  const watch = ['--import', path.join(workers, 'watch-stalls.ts')];
  const child = spawn(process.execPath, [...watch, ...toServe(filled)], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  return {
    ...(await awaitPort(filled, child)),
    readStall: () =>
      new Promise((resolve) => {
        child.once('message', (stall: Stall) => resolve(stall));
        child.send('stall');
      }),
  };
}

interface Load {
  readonly server: Served;
  readonly repeat: number;
  readonly connections: number;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Repeats a request; the processor time is that of the server. */
export function load({ server, repeat, connections, method = 'GET', path: url, body }: Load) {
  const { port, pid, token } = server;
  const request = JSON.stringify({ method, path: url, token, body });
  return async (): Promise<Figures> => {
    process.env.REPEAT = String(repeat);
    const args = [path.join(workers, 'load.ts'), port, String(connections), request];
    const before = readProcessorTime(pid);
    const figures = await measureWorker(process.execPath, args);
    return { ...figures, cpu: readProcessorTime(pid) - before };
  };
}

/** User and system time of a process in milliseconds; Linux counts it in hundredths of a second. */
function readProcessorTime(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
