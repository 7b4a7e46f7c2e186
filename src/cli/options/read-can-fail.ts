import type { CanFailLimits } from '../../engine/run/outcome/can-fail-report.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { MAX_TIMEOUT, readStore } from './run-options.ts';

const DEFAULT_ROWS = 10_000;
const MAX_ROWS = 1_000_000;
const DEFAULT_SECONDS = 60;

/** The limits of `--can-fail`; undefined without it. Throws a UsageError. */
export function readCanFail(options: OptionsOf<'test'>): CanFailLimits | undefined {
  const { canFail, rows = DEFAULT_ROWS, canFailTimeout = DEFAULT_SECONDS } = options;
  if (!canFail) {
    refuseAlone(options);
    return undefined;
  }
  refuseOthers(options);
  if (rows > MAX_ROWS) throw new UsageError(`--rows ${rows}: at most ${MAX_ROWS}`);
  if (canFailTimeout > MAX_TIMEOUT) {
    throw new UsageError(`--can-fail-timeout ${canFailTimeout}: at most ${MAX_TIMEOUT} seconds (a week)`);
  }
  return { maxRows: rows, timeoutMs: canFailTimeout * 1_000 };
}

/** Refuses the options that only `--can-fail` has. */
function refuseAlone({ rows, canFailTimeout, json }: OptionsOf<'test'>): void {
  if (rows !== undefined) throw new UsageError('--rows needs --can-fail');
  if (canFailTimeout !== undefined) throw new UsageError('--can-fail-timeout needs --can-fail');
  if (json) throw new UsageError('--json needs --can-fail: results as JSON have `--reporter json`');
}

/** Refuses the options about failed tests, which are not tried. */
function refuseOthers(options: OptionsOf<'test'>): void {
  const flags: readonly (readonly [string, boolean])[] = [
    ['--fail-fast', options.failFast],
    ['--store-failures', readStore(options) !== undefined],
    ['--reporter', options.reporter.length > 0],
    ['--rerun-failed', options.rerunFailed],
  ];
  const flag = flags.find(([, isSet]) => isSet)?.[0];
  if (flag !== undefined) throw new UsageError(`--can-fail and ${flag} contradict each other`);
}
