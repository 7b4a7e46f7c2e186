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

/**
 * Processor time of a process, of its ended children and of its running descendants, in hundredths of a second; 0 where
 * `/proc` does not tell.
 */
export function readTreeWork(pid: number): number {
  return [pid, ...listDescendants(pid)].reduce((sum, own) => sum + (sumTimes(own, 11, 15) || 0), 0);
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
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ').slice(first, end) ?? [Number.NaN];
  return fields.map(Number).reduce((sum, time) => sum + time);
}

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
