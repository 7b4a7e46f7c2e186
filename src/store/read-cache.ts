import { present } from '../invariants/must.ts';

/** How many answers a cache keeps; of more, the one that was kept first is forgotten. */
const MAX_ANSWERS = 5_000;
/** The longest key whose answer is kept, in UTF-16 units. */
const MAX_KEY_LENGTH = 256;

/** Answers to one question, each kept until anything is committed. */
export interface ReadCache<Answer> {
  /**
   * What `read` answers now; that must depend on nothing but `key` and what is committed, so not on the time. Within a
   * write `read` is always asked, and undefined is never kept. Throws what `read` throws, and as `Transactions` do.
   */
  get(key: string, read: () => Answer): Answer;
}

/** The caches of one connection. */
export interface ReadCaches {
  /** Creates a separate cache, of bounded size, for as long as the connection is open. */
  createCache<Answer>(): ReadCache<Answer>;
}

/** How the caches of a connection learn of its transactions and commits. */
interface CacheOptions {
  /** The kind of the transaction under way, which began with a look; undefined without one. */
  readonly findMode: () => 'read' | 'write' | undefined;
  /** Forgets all answers if anything was committed since the last look. */
  readonly look: () => void;
}

/** No caches yet; `forget` empties all there are. */
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
