import { finish, type Interruptible } from '../../../text/interruptible.ts';
import { createRefused, type Refusal } from './errors.ts';
import { createPathCheck, type PathCheck } from './paths.ts';
import { findReferenceRefusal, type Knowledge } from './references.ts';
import { findQueryRefusal, findStatementRefusal } from './statements.ts';
import { isWord, readTokens, type TokenList } from './tokens.ts';

/** Lets statements of users through that leave the machine and the database's own files alone (results 3). */
export interface Gate {
  /** Throws a DatabaseError of code `gate` for a text that is not one statement that may run. */
  checkStatement(sql: string): Interruptible<void>;
  /** The same for a query that is to stand inside of a statement of our own. */
  checkQuery(sql: string): Interruptible<void>;
  /** Whether something stored sets the seed of random numbers where it is used. */
  readonly hasSeeds: boolean;
  /** Whether something stored may not be used. */
  readonly hasBarred: boolean;
  /** Takes what is stored now for what was. */
  learn(stored: readonly StoredObject[]): void;
}

/** What a database has that was made elsewhere: a view, a macro or a table, by the text that it is made of. */
export interface StoredObject {
  readonly name: string;
  readonly sql: string;
}

type FindRefusal = (tokens: TokenList) => Interruptible<Refusal | null>;

const NOTHING: ReadonlyMap<string, string> = new Map();

/**
 * A gate for a database whose SQL may read files of `folder`, an absolute path without links in it. Statements that
 * use objects of `stored` which could not have been made behind the gate are refused, too.
 */
export function createGate(folder: string, stored: readonly StoredObject[]): Gate {
  const paths = createPathCheck(folder);
  let barred = findBarred(stored, paths);

  function* check(sql: string, findRefusal: FindRefusal): Interruptible<void> {
    const { tokens, refusal: loose } = yield* readTokens(sql);
    // Dropping an object does nothing that is in it.
    const known = isWord(tokens.at(0), 'drop') ? NOTHING : barred;
    const knowledge: Knowledge = { paths, barred: known, isStored: false };
    const refusal = (yield* findRefusal(tokens)) ?? loose ?? (yield* findReferenceRefusal(tokens, knowledge));
    if (refusal !== null) throw createRefused(refusal);
  }

  return {
    checkStatement: (sql) => check(sql, findStatementRefusal),
    checkQuery: (sql) =>
      check(sql, function* (tokens) {
        return findQueryRefusal(tokens) ?? (yield* findStatementRefusal(tokens));
      }),
    hasSeeds: stored.some(({ sql }) => setsSeed(sql)),
    get hasBarred() {
      return barred.size > 0;
    },
    learn(now) {
      barred = findBarred(now, paths);
    },
  };
}

/** The objects that do what the gate refuses, and those that are made of them. */
function findBarred(stored: readonly StoredObject[], paths: PathCheck): ReadonlyMap<string, string> {
  const barred = new Map<string, string>();
  for (let size = -1; size !== barred.size; ) {
    size = barred.size;
    for (const { name, sql } of stored) {
      if (barred.has(name.toLowerCase())) continue;
      const { tokens, refusal: loose } = finish(readTokens(sql));
      const refusal = loose ?? finish(findReferenceRefusal(tokens, { paths, barred, isStored: true }));
      if (refusal !== null) barred.set(name.toLowerCase(), refusal.message);
    }
  }
  return barred;
}

/** Whether a text may set the seed of a connection's random numbers. */
export function setsSeed(sql: string): boolean {
  return /setseed/i.test(sql);
}
