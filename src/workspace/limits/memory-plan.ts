import { findMemory } from '../../settings/amounts.ts';

/** Memory limits for SQL execution, in bytes. */
export interface MemoryPlan {
  /** The limit of each DuckDB database before it spills to disk. */
  readonly database: number;
  /** The limit of the process with all databases; above it, the process is restarted. */
  readonly ceiling: number;
}

/** The memory of the process in addition to its databases. */
const OWN = 1024 ** 3;

/**
 * Memory limits for databases of `database` bytes each. The process may use half as much again and 1 GiB, but at most
 * the mean of `database` and all memory, because other processes need some.
 */
export function planMemory(database: number, all = findMemory()): MemoryPlan {
  return { database, ceiling: Math.min(database * 1.5 + OWN, (database + all) / 2) };
}
