import { statfsSync } from 'node:fs';
import type { Clock } from '../../engine/run/outcome/clock.ts';
import type { ExecutionRegistry } from '../../execution/registry/registry.ts';
import { type AsyncExecutions, createAsyncExecutions } from '../../execution/results/async-executions.ts';
import { createResultFiles, type ResultLimits } from '../../execution/results/result-files.ts';
import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import type { Watched } from './watch-rights.ts';

/** How executions are kept for which nobody waits. */
export interface KeepOptions {
  /** For how long after their end, in milliseconds; left out: as the setting has it by default. */
  readonly resultTtlMs?: number;
  /** Bytes of their results. */
  readonly results?: Partial<ResultLimits>;
}

/** How many of one user there may be. */
const PER_OWNER = 200;
const LIMITS: ResultLimits = { result: 1024 ** 3, perOwner: 2 * 1024 ** 3, total: 8 * 1024 ** 3 };
/** The part of the disk's free space that results take at most. */
const DISK_SHARE = 0.25;

/**
 * Keeps executions of an open home, with their results in a folder of their own below its `tmp/`: one that is not the
 * engine's, so that SQL never finds them. `close` forgets all; after a crash, the next process to open the home does.
 */
export function keepExecutions(
  home: Home,
  registry: ExecutionRegistry,
  clock: Clock,
  {
    resultTtlMs: ttlMs = defaultOf(SETTINGS.execResultTtl) * 1_000,
    results,
    log,
  }: KeepOptions & { readonly log: (line: string) => void },
): AsyncExecutions & { close(): void } {
  const folder = createRunFolder(home);
  const files = createResultFiles(folder, { ...LIMITS, total: findRoom(folder), ...results });
  const kept = createAsyncExecutions({ registry, files, clock, ttlMs, perOwner: PER_OWNER, log });
  return {
    ...kept,
    close() {
      kept.forgetWhere(() => true);
      removeFolder(folder);
    },
  };
}

/** All whose rights are to be watched: those that run and wait, and those that are kept. */
export function withKept(registry: ExecutionRegistry, kept: AsyncExecutions): Watched {
  return {
    list: () => [...registry.list(), ...kept.listEnded()],
    cancelWhere(matches) {
      kept.forgetWhere(matches);
      return registry.cancelWhere(matches);
    },
  };
}

function findRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(LIMITS.total, Math.floor(bavail * bsize * DISK_SHARE));
}
