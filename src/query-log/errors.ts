import { ServiceError } from '../errors/service-error.ts';
import { OUTCOMES } from './query.ts';

/** Errors of the query log, and warnings about lost entries. */
export const queryLogErrors = {
  notAnOutcome: () =>
    new ServiceError(400, 'outcome_invalid', `Outcome must be one of ${OUTCOMES.join(', ')}`),
  /** `reason` is the message of a HomeError. */
  notWritten: (reason: string) => `the query log cannot be written; entries are lost: ${reason}`,
  writtenAgain: (lost: number) => `the query log can be written again; lost entries: ${lost}`,
};
