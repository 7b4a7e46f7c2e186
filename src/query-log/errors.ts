import { ServiceError } from '../errors/service-error.ts';
import { OUTCOMES } from './query.ts';

/** Refusals about the query log, and what is said about one that cannot be kept. */
export const queryLogErrors = {
  notAnOutcome: () =>
    new ServiceError(400, 'outcome_invalid', `Outcome must be one of ${OUTCOMES.join(', ')}`),
  /** `reason` is that of a HomeError. */
  notWritten: (reason: string) => `the query log is not written, and its entries are lost: ${reason}`,
  writtenAgain: (lost: number) => `the query log is written again; entries that were lost: ${lost}`,
};
