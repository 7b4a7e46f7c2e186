import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from './bench.ts';
import { measureWorker } from './measure.ts';

/** The program, as it is shipped. */
export const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
/** Where the programs are that benches run. */
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

/** Starts a program that prints its port when it serves; it ends with this process. */
export async function start(filled: Filled, args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  child.unref();
  for await (const line of child.stdout!) {
    return { ...filled, port: /(\d+)\s*$/.exec(String(line))![1]!, pid: child.pid! };
  }
  throw new Error(`${args.join(' ')} has ended`);
}

/** Starts the server of a home. */
export function serve(filled: Filled): Promise<Served> {
  return start(filled, [quern, 'serve', '--port', '0', '--home', filled.home]);
}

interface Load {
  readonly server: Served;
  readonly repeat: number;
  readonly connections: number;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a request again and again; the processor time is that of the server. */
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

/** What a process has used, by itself and in the system, in milliseconds; Linux counts it by hundredths of a second. */
function readProcessorTime(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
