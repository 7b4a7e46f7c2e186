import { ServiceError } from '../errors/service-error.ts';

/** What an error says to a person, in one sentence. */
export function describeError(error: unknown): string {
  if (error instanceof ServiceError) {
    return error.hint === undefined ? error.detail : `${error.detail}, ${error.hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
