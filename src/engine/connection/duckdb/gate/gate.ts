import { finish, type Interruptible } from '../../../text/interruptible.ts';
import { createGateError, type GateDiagnostic } from './errors.ts';
import { createPathCheck, type PathCheck } from './paths.ts';
import { findReferenceDiagnostic, type Knowledge } from './references.ts';
import { findQueryDiagnostic, findStatementDiagnostic } from './statements.ts';
import { isWord, readTokens, type TokenList } from './tokens.ts';

/**
 * Accepts only user statements that do not access the machine or the database's own files
 * (docs/reference/server-sql.md#statements-functions-and-files).
 */
export interface Gate {
  /** Throws a DatabaseError of code `gate` for a text that is not one statement that may run. */
  checkStatement(sql: string): Interruptible<void>;
  /** Checks a query that becomes part of an internal statement. */
  checkQuery(sql: string): Interruptible<void>;
  /** Whether any stored object sets the seed of random numbers when it is used. */
  readonly hasSeeds: boolean;
  /** Whether any stored object may not be used. */
  readonly hasBarred: boolean;
  /** Replaces the known stored objects with the current ones. */
  learn(storedObjects: readonly StoredObject[]): void;
}

/** A stored object that was made elsewhere: a view, a macro or a table, with its definition. */
export interface StoredObject {
  readonly name: string;
  readonly sql: string;
}

type FindDiagnostic = (tokens: TokenList) => Interruptible<GateDiagnostic | null>;

const NOTHING: ReadonlyMap<string, string> = new Map();

/**
 * Creates a gate for a database whose SQL may read files in `folder`, an absolute path without links. It also rejects
 * statements that use those of `storedObjects` whose definition the gate would reject.
 */
export function createGate(folder: string, storedObjects: readonly StoredObject[]): Gate {
  const paths = createPathCheck(folder);
  let barred = findBarred(storedObjects, paths);

  function* check(sql: string, findDiagnostic: FindDiagnostic): Interruptible<void> {
    const { tokens, diagnostic: loose } = yield* readTokens(sql);
    // Dropping an object does not run its definition.
    const barredObjects = isWord(tokens.at(0), 'drop') ? NOTHING : barred;
    const knowledge: Knowledge = { paths, barred: barredObjects, isStored: false };
    const diagnostic =
      (yield* findDiagnostic(tokens)) ?? loose ?? (yield* findReferenceDiagnostic(tokens, knowledge));
    if (diagnostic !== null) throw createGateError(diagnostic);
  }

  return {
    checkStatement: (sql) => check(sql, findStatementDiagnostic),
    checkQuery: (sql) =>
      check(sql, function* (tokens) {
        return findQueryDiagnostic(tokens) ?? (yield* findStatementDiagnostic(tokens));
      }),
    hasSeeds: storedObjects.some(({ sql }) => setsSeed(sql)),
    get hasBarred() {
      return barred.size > 0;
    },
    learn(now) {
      barred = findBarred(now, paths);
    },
  };
}

/** Finds the objects whose definition the gate rejects, and objects that depend on them. */
function findBarred(storedObjects: readonly StoredObject[], paths: PathCheck): ReadonlyMap<string, string> {
  const barred = new Map<string, string>();
  for (let size = -1; size !== barred.size; ) {
    size = barred.size;
    for (const { name, sql } of storedObjects) {
      if (barred.has(name.toLowerCase())) continue;
      const { tokens, diagnostic: loose } = finish(readTokens(sql));
      const diagnostic = loose ?? finish(findReferenceDiagnostic(tokens, { paths, barred, isStored: true }));
      if (diagnostic !== null) barred.set(name.toLowerCase(), diagnostic.message);
    }
  }
  return barred;
}

/** Whether a statement may set the seed of a connection's random numbers. */
export function setsSeed(sql: string): boolean {
  return /setseed/i.test(sql);
}
