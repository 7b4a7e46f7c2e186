import { statfsSync } from 'node:fs';
import type { NanoClock } from '../../engine/run/outcome/clock.ts';
import type { ExecutionRegistry } from '../../execution/registry/registry.ts';
import { type AsyncExecutions, createAsyncExecutions } from '../../execution/results/async-executions.ts';
import { createResultFiles, type ResultLimits } from '../../execution/results/result-files.ts';
import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { createRunFolder, type Home, removeFolder } from '../home/home.ts';
import type { Watched } from './watch-rights.ts';

/** Options of asynchronous executions. */
export interface KeepOptions {
  /** How long results are kept after the end, in milliseconds; default: the setting's default. */
  readonly resultTtlMs?: number;
  /** Size limits of their results, in bytes. */
  readonly results?: Partial<ResultLimits>;
}

/** The maximum of one user. */
const PER_OWNER = 200;
const LIMITS: ResultLimits = { result: 1024 ** 3, perOwner: 2 * 1024 ** 3, total: 8 * 1024 ** 3 };
/** The maximum share of the disk's free space that results may use. */
const DISK_SHARE = 0.25;

/**
 * Keeps executions of an open home, with results in a separate folder below its `tmp/`. The engine does not use that
 * folder, so SQL cannot read results. `close` deletes all; after a crash, the next process that opens the home does.
 */
export function keepExecutions(
  home: Home,
  registry: ExecutionRegistry,
  clock: NanoClock,
  {
    resultTtlMs: ttlMs = defaultOf(SETTINGS.execResultTtl) * 1_000,
    results,
    log,
  }: KeepOptions & { readonly log: (line: string) => void },
): AsyncExecutions & { close(): void } {
  const folder = createRunFolder(home);
  const files = createResultFiles(folder, { ...LIMITS, total: findRoom(folder), ...results });
  const executions = createAsyncExecutions({ registry, files, clock, ttlMs, perOwner: PER_OWNER, log });
  return {
    ...executions,
    close() {
      executions.forgetWhere(() => true);
      removeFolder(folder);
    },
  };
}

/** Maximum bytes of one stored result. */
export function findResultLimit({ results }: KeepOptions): number {
  return results?.result ?? LIMITS.result;
}

/** All executions whose permissions are watched: running, waiting and kept ones. */
export function withKept(registry: ExecutionRegistry, executions: AsyncExecutions): Watched {
  return {
    list: () => [...registry.list(), ...executions.listEnded()],
    cancelWhere(matches) {
      executions.forgetWhere(matches);
      return registry.cancelWhere(matches);
    },
  };
}

function findRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(LIMITS.total, Math.floor(bavail * bsize * DISK_SHARE));
}
