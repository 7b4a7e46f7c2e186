import type { ServerConfig } from '../../workspace/home/home-config.ts';
import { DiskError, readDisk } from '../../workspace/limits/disk-plan.ts';
import { MemoryError, readMemory } from '../../workspace/limits/memory-plan.ts';
import type { ExecutionOptions } from '../../workspace/runs/executions.ts';
import type { CommandInput, OptionValue } from '../context/command.ts';
import { UsageError } from '../context/errors.ts';

/** How a server runs scripts and SQL; what nobody has set is left out. */
export type ExecOptions = Pick<ExecutionOptions, 'limits' | 'timeoutMs' | 'memory' | 'disk' | 'resultTtlMs'>;

/** Finds a setting: a flag, else a variable, else what is configured. Throws a UsageError. */
export interface FindSetting {
  text(flag: OptionValue, variable: string, configured: string | undefined): string | undefined;
  count(flag: OptionValue, variable: string, configured: number | undefined): number | undefined;
}

/** A day and a week, in seconds. */
const MAX_TIMEOUT = 86_400;
const MAX_RESULT_TTL = 604_800;
/** Each running statement takes a thread, and there are at most 1,024. */
const MAX_RUNNING = 1_000;
const MAX_WAITING = 10_000;

/** The settings of `quern serve` that are about executions. Throws a UsageError. */
export function readExecOptions(
  { text, count }: FindSetting,
  options: CommandInput['options'],
  config: ServerConfig,
): ExecOptions {
  const timeout = count(options.execTimeout, 'QUERN_EXEC_TIMEOUT', config.execTimeout);
  const running = count(undefined, 'QUERN_EXEC_RUNNING', config.execRunning);
  const queued = count(undefined, 'QUERN_EXEC_QUEUED', config.execQueued);
  const perUser = count(undefined, 'QUERN_EXEC_PER_USER', config.execPerUser);
  const ttl = count(undefined, 'QUERN_EXEC_RESULT_TTL', config.execResultTtl);
  const memory = text(options.execMemory, 'QUERN_EXEC_MEMORY', config.execMemory);
  const disk = text(options.execDisk, 'QUERN_EXEC_DISK', config.execDisk);
  checkRange('exec_timeout', timeout, 1, MAX_TIMEOUT, ' seconds');
  checkRange('exec_running', running, 1, MAX_RUNNING);
  checkRange('exec_queued', queued, 0, MAX_WAITING);
  checkRange('exec_per_user', perUser, 1, MAX_RUNNING + MAX_WAITING);
  checkRange('exec_result_ttl', ttl, 1, MAX_RESULT_TTL, ' seconds');
  const limits = {
    ...(running === undefined ? {} : { running }),
    ...(queued === undefined ? {} : { queued }),
    ...(perUser === undefined ? {} : { perOwner: perUser }),
  };
  return {
    limits,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
    ...(ttl === undefined ? {} : { resultTtlMs: ttl * 1_000 }),
    ...(memory === undefined ? {} : { memory: checkMemory(memory) }),
    ...(disk === undefined ? {} : { disk: checkDisk(disk) }),
  };
}

function checkRange(name: string, value: number | undefined, least: number, most: number, unit = ''): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw new UsageError(`${name} is ${value}${unit}: it is from ${least} to ${most}`);
}

function checkMemory(text: string): number {
  try {
    return readMemory(text);
  } catch (error) {
    throw error instanceof MemoryError ? new UsageError(`exec_memory ${error.message}`) : error;
  }
}

function checkDisk(text: string): NonNullable<ExecOptions['disk']> {
  try {
    return readDisk(text);
  } catch (error) {
    throw error instanceof DiskError ? new UsageError(`exec_disk ${error.message}`) : error;
  }
}
