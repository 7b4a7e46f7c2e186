import { readdirSync, readFileSync } from 'node:fs';

/** The use of several processes: total memory in megabytes, memory of the first process, open files and sockets. */
export interface Usage {
  readonly memory: number;
  readonly first: number;
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

/** The use of these processes; a process that has just ended uses nothing. */
export function readUsage(pids: readonly number[]): Usage {
  let [memory, first, files, processes] = [0, 0, 0, 0];
  for (const pid of pids) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
      if (pid === pids[0]) first = own;
      memory += own;
      files += readdirSync(`/proc/${pid}/fd`).length;
      processes++;
    } catch {
      // It has ended.
    }
  }
  return { memory, first, files, processes };
}
