import duckdb from '@duckdb/node-bindings';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import { type Interruptible, isPause } from '../../text/interruptible.ts';
import { duckdbRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { DatabaseError } from '../contract/connection.ts';
import { isSeveral } from './execute.ts';
import type { Engine } from './instance/engine.ts';
import { mayGrow, mayUpdate } from './instance/growth.ts';

const CHANGING = new Set(['insert', 'update', 'delete', 'merge', 'with']);
const RETURNS = /\breturning\b/i;
const NEVER = new AbortController().signal;

/** A transaction around a statement whose changes are kept only if all its rows are read and fit into the quota. */
export interface Undoable {
  /** Checks whether the changes fit. Rejects with a DatabaseError of code `quota`. */
  check(): Promise<void>;
  /** Commits the changes. Rejects with a DatabaseError. */
  keep(signal: AbortSignal): Promise<void>;
  /** Rolls back uncommitted changes; never rejects. */
  undo(): Promise<void>;
}

/**
 * Starts a transaction before a statement that changes rows and returns them, or that may exceed the quota; null for
 * other statements, and within a transaction of the user.
 */
export async function beginUndoable(
  engine: Engine,
  statement: string,
  signal: AbortSignal,
): Promise<Undoable | null> {
  if (engine.inTransaction) return null;
  engine.hasGrown = false;
  const isWanted =
    (RETURNS.test(statement) && (await finishInPieces(returnsChanges(statement), signal))) ||
    (await isLimited(engine, statement, signal));
  if (!isWanted) return null;
  const run = (sql: string, statementSignal: AbortSignal) =>
    engine.step(sql, statementSignal, () => duckdb.query(engine.connection, sql));
  try {
    await run('BEGIN', signal);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === 'sql') return null;
    throw error;
  }
  let isOpen = true;
  return {
    check: () => engine.checkCommit(mayUpdate(statement)),
    async keep(commitSignal) {
      await run('COMMIT', commitSignal);
      isOpen = false;
    },
    async undo() {
      if (!isOpen) return;
      isOpen = false;
      engine.hasTraces = true;
      // Also runs while the session is being closed.
      await engine.work.wait(duckdb.query(engine.connection, 'ROLLBACK'), NEVER).catch(() => {});
    },
  };
}

/** Statements that the engine expands into several have a separate transaction. */
async function isLimited(engine: Engine, statement: string, signal: AbortSignal): Promise<boolean> {
  return engine.quota !== null && mayGrow(statement) && !(await isSeveral(engine, statement, signal));
}

function* returnsChanges(statement: string): Interruptible<boolean> {
  let isFirst = true;
  let passed = 0;
  for (const { kind, start, end } of scanSql(statement, duckdbRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (kind !== 'word') continue;
    const word = statement.slice(start, end).toLowerCase();
    if (isFirst && !CHANGING.has(word)) return false;
    if (word === 'returning') return true;
    isFirst = false;
  }
  return false;
}
