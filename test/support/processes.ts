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
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
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
