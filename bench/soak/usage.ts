import { readdirSync, readFileSync } from 'node:fs';

/** What processes take together: memory in megabytes, open files and sockets. */
export interface Usage {
  readonly memory: number;
  readonly files: number;
  readonly processes: number;
}

/** A process and its children. */
export function listProcesses(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  } catch {
    return [pid];
  }
}

/** What these processes take; one that has just ended takes nothing. */
export function readUsage(pids: readonly number[]): Usage {
  let [memory, files, processes] = [0, 0, 0];
  for (const pid of pids) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      memory += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
      files += readdirSync(`/proc/${pid}/fd`).length;
      processes++;
    } catch {
      // It has ended.
    }
  }
  return { memory, files, processes };
}
