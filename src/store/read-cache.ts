import { present } from '../invariants/must.ts';

/** The maximum number of values in a cache; the oldest value is removed first. */
const MAX_ANSWERS = 5_000;
/** The maximum length of a key, in UTF-16 units; values of longer keys are not cached. */
const MAX_KEY_LENGTH = 256;

/** Values of one kind, each cached until anything is committed. */
export interface ReadCache<Answer> {
  /**
   * The current value of `read`. The value must depend only on `key` and on committed data, and not on the time.
   * Within a write `read` is always called, and undefined is never cached. Throws the errors of `read` and of
   * `Transactions`.
   */
  get(key: string, read: () => Answer): Answer;
}

/** The caches of one connection. */
export interface ReadCaches {
  /** Creates a separate cache of limited size that lives as long as the connection is open. */
  createCache<Answer>(): ReadCache<Answer>;
}

/** The transactions and commits of a connection, as its caches need them. */
interface CacheOptions {
  /**
   * The kind of the current transaction, whose snapshot was taken at its first read; undefined without a transaction.
   */
  readonly findMode: () => 'read' | 'write' | undefined;
  /** Empties all caches if anything was committed since the last check. */
  readonly look: () => void;
}

/** Creates an empty list of caches; `forget` empties all of them. */
export function createReadCaches({ findMode, look }: CacheOptions): ReadCaches & { forget(): void } {
  const all: Map<string, unknown>[] = [];

  return {
    createCache<Answer>(): ReadCache<Answer> {
      const answers = new Map<string, Answer>();
      all.push(answers);
      return {
        get: (key, read) => {
          const mode = findMode();
          if (mode === 'write') return read();
          if (mode === undefined) look();
          const known = answers.get(key);
          return known === undefined ? keep(answers, key, read()) : known;
        },
      };
    },
    forget: () => {
      for (const answers of all) answers.clear();
    },
  };
}

function keep<Answer>(answers: Map<string, Answer>, key: string, answer: Answer): Answer {
  if (answer === undefined || key.length > MAX_KEY_LENGTH) return answer;
  if (answers.size >= MAX_ANSWERS) answers.delete(present(answers.keys().next().value));
  answers.set(key, answer);
  return answer;
}
