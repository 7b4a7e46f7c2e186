import { runErrors } from '../api/errors.ts';
import { createShares } from './shares.ts';

/** The maximum of concurrent semantic queries in total, and of one caller. */
const MAX_QUESTIONS = 1_000;
const MAX_QUESTIONS_OF_CALLER = MAX_QUESTIONS / 4;

/** Limits concurrent semantic queries; a query beyond the limit is refused before it starts. */
export interface Admission {
  /** Rejects with a ServiceError above the limit, and otherwise like `work`. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/** Creates a limit without queries in progress. */
export function createAdmission(): Admission {
  const shares = createShares({ total: MAX_QUESTIONS, each: MAX_QUESTIONS_OF_CALLER });
  return {
    async run(caller, work) {
      if (!shares.take(caller, 1)) throw runErrors.modelsBusy();
      try {
        return await work();
      } finally {
        shares.give(caller, 1);
      }
    },
  };
}
