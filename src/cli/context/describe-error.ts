import { ServiceError } from '../../errors/service-error.ts';

/** What an error says to a person, in one sentence. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    const hint = error.hint ?? error.localHint;
    return hint === undefined ? error.detail : `${error.detail}, ${hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
