import { readdirSync, readFileSync } from 'node:fs';

/** Whether `/proc` describes processes. */
export const hasProc = process.platform === 'linux';

/** The engine process of a server; undefined while it does not run. */
export function findEngine(server: number): number | undefined {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [, parent] = readProc(Number(name), 'stat').split(') ')[1]?.split(' ') ?? [];
    return Number(parent) === server && readProc(Number(name), 'cmdline').includes('engine-process');
  });
  return found === undefined ? undefined : Number(found);
}

/** Current resident memory in bytes; 0 for a process that has ended. */
export function readResident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024;
}

/** Processor time of a process, in hundredths of a second. */
export function readWork(pid: number): number {
  return sumTimes(pid, 11, 13);
}

/** Processor time of each running thread of a process, in hundredths of a second; the main thread is the first. */
export function readThreads(pid: number): readonly number[] {
  return listTasks(pid).map((task) => sumOf(readProc(pid, `task/${task}/stat`), 11, 13) || 0);
}

/**
 * Processor time of the busiest thread of a process, in hundredths of a second: never more than the time since its
 * start, and as much where the thread worked without a pause. 0 after its end.
 */
export function readBusiest(pid: number): number {
  return Math.max(0, ...readThreads(pid));
}

/**
 * Processor time of a process, of its ended children and of its running descendants, in hundredths of a second; 0 where
 * `/proc` does not tell.
 */
export function readTreeWork(pid: number): number {
  return readWithEnded(pid) + readDescendantsWork(pid);
}

/** The same of its running descendants only. */
export function readDescendantsWork(pid: number): number {
  return listDescendants(pid).reduce((sum, own) => sum + readWithEnded(own), 0);
}

/** Processor time of a process and of its ended children, in hundredths of a second. */
function readWithEnded(pid: number): number {
  return sumTimes(pid, 11, 15) || 0;
}

const SHARED = Symbol.for('quern.test.shared-processes');
const worker = globalThis as { [SHARED]?: Set<number> };

/** Tells that a process may run until the end of this one, because several files of tests share it. */
export function shareProcess(pid: number): void {
  worker[SHARED] ??= new Set();
  worker[SHARED].add(pid);
}

/** Calls a function when this process ends, also by the signal with which vitest ends its workers; it may not wait. */
export function atProcessEnd(end: () => void): void {
  process.once('exit', end);
  process.once('SIGTERM', () => {
    end();
    process.kill(process.pid, 'SIGTERM');
  });
}

/** The command lines of the processes that this process has started and that run, except shared ones. */
export function listLeftRunning(): readonly string[] {
  const shared = [...(worker[SHARED] ?? [])].flatMap((pid) => [pid, ...listDescendants(pid)]);
  // An ended process that nothing waits for has no command line.
  return listDescendants(process.pid)
    .filter((pid) => !shared.includes(pid))
    .map(readCommand)
    .filter(Boolean);
}

/** The running processes that a process has started, and those that they have started. */
export function listDescendants(pid: number): readonly number[] {
  const children = listTasks(pid).flatMap((task) =>
    readProc(pid, `task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

/** The command line of a process, with blanks between its arguments; '' after its end. */
export function readCommand(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** The sum of fields of `stat` after the name of the program, in hundredths of a second. */
function sumTimes(pid: number, first: number, end: number): number {
  return sumOf(readProc(pid, 'stat'), first, end);
}

/** The sum of such fields of a text in the form of `stat`; NaN for an empty text. */
function sumOf(stat: string, first: number, end: number): number {
  const fields = stat.split(') ')[1]?.split(' ').slice(first, end) ?? [Number.NaN];
  return fields.map(Number).reduce((sum, time) => sum + time);
}

/** The ids of the threads of a process, the main thread first. */
function listTasks(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The number of files of a process that are open, including sockets. */
export function countOpenFiles(pid: number | 'self'): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Whether a process has a native library of this package in its memory. */
export function hasLoaded(pid: number, name: string): boolean {
  return readProc(pid, 'maps')
    .split('\n')
    .some((line) => line.includes('/node_modules/') && line.includes(name));
}

/** '' for a process that has ended. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
