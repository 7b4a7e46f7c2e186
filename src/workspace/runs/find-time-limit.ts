import { defaultOf } from '../../settings/read-settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Collected } from './collect-work.ts';

/** The time limit of a run, and who sets it. */
export type TimeLimit = Pick<Collected, 'timeoutMs' | 'timeoutSource'>;

/** The time limit of a server's executions; `timeoutMs` is that of its settings. */
export function findTimeLimit(timeoutMs: number | undefined): TimeLimit {
  const usual = defaultOf(SETTINGS.execTimeout) * 1_000;
  const setting = `\`${SETTINGS.execTimeout.key}\``;
  return timeoutMs === undefined || timeoutMs === usual
    ? { timeoutMs: usual, timeoutSource: `the default of ${setting}` }
    : { timeoutMs, timeoutSource: setting };
}
