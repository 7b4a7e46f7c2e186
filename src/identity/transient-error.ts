import { HomeError, type HomeFault } from '../errors/home-error.ts';
import { ServiceError } from '../errors/service-error.ts';

const PASSING: readonly HomeFault[] = ['locked', 'unwritable', 'full', 'failing'];

/** Whether an error says that the home cannot be written, or has no time, just now: what is no more than nice may wait. */
export function isTransientError(error: unknown): boolean {
  if (error instanceof HomeError) return PASSING.includes(error.code);
  return error instanceof ServiceError && error.status === 503;
}
