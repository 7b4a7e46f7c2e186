import { ServiceError } from '../../errors/service-error.ts';
import { describeError, UsageError } from '../context/errors.ts';

/** Passes a refusal on; a request that could not be is a call that was wrong. */
export function explainRefusal(error: unknown): never {
  if (error instanceof ServiceError && error.status === 400) throw new UsageError(describeError(error));
  throw error;
}
