import { ServiceError } from '../../errors/service-error.ts';
import { describeError, UsageError } from './errors.ts';

/**
 * For a command whose exit code 1 means that a test or a target failed: a missing item and an invalid request are usage
 * errors.
 */
export function explainCallError(error: unknown): never {
  const isCall = error instanceof ServiceError && [400, 404, 422].includes(error.status);
  throw isCall ? new UsageError(describeError(error)) : error;
}
