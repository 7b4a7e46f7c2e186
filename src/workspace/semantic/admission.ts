import { runErrors } from '../errors.ts';

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
  const byCaller = new Map<string, number>();
  let total = 0;

  function add(caller: string, change: 1 | -1): void {
    const count = (byCaller.get(caller) ?? 0) + change;
    total += change;
    if (count === 0) byCaller.delete(caller);
    else byCaller.set(caller, count);
  }

  return {
    async run(caller, work) {
      const own = byCaller.get(caller) ?? 0;
      if (total >= MAX_QUESTIONS || own >= MAX_QUESTIONS_OF_CALLER) throw runErrors.modelsBusy();
      add(caller, 1);
      try {
        return await work();
      } finally {
        add(caller, -1);
      }
    },
  };
}
