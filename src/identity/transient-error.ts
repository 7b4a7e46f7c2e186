import { HomeError, type HomeErrorCode } from '../errors/home-error.ts';
import { ServiceError } from '../errors/service-error.ts';

const PASSING: readonly HomeErrorCode[] = ['locked', 'unwritable', 'full', 'failing'];

/** Whether an error means that the home is busy or cannot be written at the moment. Optional work may then wait. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof HomeError) return PASSING.includes(error.code);
  return error instanceof ServiceError && error.status === 503;
}
