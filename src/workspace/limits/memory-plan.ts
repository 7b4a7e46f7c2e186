import { findMemory } from '../../settings/amounts.ts';

/** How much memory there is for what runs SQL, in bytes. */
export interface MemoryPlan {
  /** What each DuckDB database may take before it spills to the disk. */
  readonly database: number;
  /** At how much the process in which all of them are is ended, and started again. */
  readonly ceiling: number;
}

/** What the process takes beside its databases. */
const OWN = 1024 ** 3;

/**
 * The memory of databases, and of their process: half as much again and 1 GiB, but no nearer to all memory than half
 * way, because other processes need some.
 */
export function planMemory(database: number, all = findMemory()): MemoryPlan {
  return { database, ceiling: Math.min(database * 1.5 + OWN, (database + all) / 2) };
}
