import { runErrors } from '../api/errors.ts';
import { createShares } from './shares.ts';

/** The maximum of questions in progress, and that of one caller. */
const MAX_QUESTIONS = 1_000;
const MAX_QUESTIONS_OF_CALLER = MAX_QUESTIONS / 4;

/** Counts the questions in progress; who has too many of them is refused, but never in the middle of one. */
export interface Admission {
  /** Rejects with a ServiceError where there is no room, and otherwise as `work` does. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/** Nothing in progress yet. */
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
