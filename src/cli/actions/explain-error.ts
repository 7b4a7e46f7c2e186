import { ServiceError } from '../../errors/service-error.ts';
import { describeError, UsageError } from '../context/errors.ts';

/** Rethrows an error; an invalid request becomes a usage error. */
export function explainError(error: unknown): never {
  if (error instanceof ServiceError && error.status === 400) throw new UsageError(describeError(error));
  throw error;
}
