import type { LoadOutcome } from '../api/workspace-api.ts';

type Failure = Extract<LoadOutcome, { status: 'failed' }>['error'];

/** Carries a failed run, or data that cannot be loaded, to the caller. */
export class FailedRun extends Error {
  readonly error: Failure;

  constructor(error: Failure) {
    super(error.message);
    this.error = error;
  }
}

/** An error of data, with advice. */
export function refuseData(message: string, note?: string): FailedRun {
  const advice = note === undefined ? {} : { note };
  return new FailedRun({ code: 'sql', message, diagnostics: [], stuck: false, ...advice });
}

/** An error of files that have changed while they were read. */
export function refuseChanged(names: readonly string[]): FailedRun {
  return refuseData(
    `${names.join(', ')} changed while it was read, and nothing was loaded`,
    'Load it again when nothing writes to it',
  );
}
