import duckdb from '@duckdb/node-bindings';

import { findFirstWord } from '../../text/first-word.ts';
import { duckdbRules } from '../../text/lexical-rules.ts';
import { DatabaseError } from '../contract/connection.ts';
import { createMisread } from './gate/errors.ts';
import { setsSeed } from './gate/gate.ts';
import { findTypes } from './gate/statements.ts';
import type { Engine } from './instance/engine.ts';
import { toDatabaseError } from './instance/errors.ts';
import { findFreed, mayGrow, mayUpdate } from './instance/growth.ts';
import { isOneRow } from './is-one-row.ts';

const { StatementType: Type } = duckdb;

/** Statements that change nothing in a connection except a seed. */
const TRACELESS: readonly duckdb.StatementType[] = [
  Type.SELECT,
  Type.INSERT,
  Type.UPDATE,
  Type.DELETE,
  Type.MERGE_INTO,
];
/** Types of statements that leave nothing in a session that a later statement could miss. */
const LASTING: ReadonlySet<duckdb.StatementType> = new Set([
  ...TRACELESS,
  Type.ALTER,
  Type.ANALYZE,
  Type.COPY,
  Type.COPY_DATABASE,
  Type.DROP,
  Type.EXPLAIN,
  Type.EXPORT,
  Type.TRANSACTION,
  Type.VACUUM,
]);
/** Objects of a database, unless the text names the temporary one. */
const CREATES_LASTING =
  /^\s*create\s+(?:or\s+replace\s+)?(?:persistent\s+)?(?:unique\s+)?(?:table|view|schema|index|sequence|type|macro|function)\b/i;
const NAMES_TEMPORARY = /\btemp(?:orary)?\b/i;
/** Texts that can have parameters, or that the engine can expand into several statements. */
const NOT_PLAIN = /[;$?]|pivot/i;

/** The engine's result of a statement; `parts` is the number of internal statements that it made of it. */
export interface Executed {
  readonly result: duckdb.Result;
  readonly type: duckdb.StatementType;
  readonly parts: number;
}

/**
 * Runs a statement up to its first rows. The engine may expand one statement into several (PIVOT): all run, and the
 * last one's result is used. Null when the text contains no statement. Rejects with a DatabaseError; in a sandbox also
 * if the engine's statement type does not match the first word.
 */
export async function execute(
  engine: Engine,
  statement: string,
  signal: AbortSignal,
): Promise<Executed | null> {
  if (mayRunAtOnce(engine, statement)) return executeAtOnce(engine, statement, signal);
  const whole = await prepareWhole(engine, statement, signal);
  if (whole !== null) return { ...(await executePrepared(engine, statement, whole, signal)), parts: 1 };
  const { extracted, parts } = await extract(engine, statement, signal);
  if (parts === 0) return null;
  for (let part = 0; part < parts - 1; part += 1) {
    const { result } = await executePart(engine, statement, extracted, part, signal);
    if (duckdb.result_is_streaming(result)) engine.abandonResult();
  }
  // A PIVOT within another statement is expanded with BEGIN and COMMIT.
  if (parts > 1 && mayGrow(statement)) await checkRoom(engine, statement);
  return { ...(await executePart(engine, statement, extracted, parts - 1, signal)), parts };
}

/**
 * Whether a text is one CREATE or a query of one row, without parameters. Outside a sandbox, nothing about it must be
 * known before it runs.
 */
function mayRunAtOnce({ gate, quota }: Engine, statement: string): boolean {
  if (gate !== null || quota !== null || NOT_PLAIN.test(statement)) return false;
  return findFirstWord(statement, duckdbRules) === 'create' || isOneRow(statement);
}

/** Runs a statement in one call of the engine: to prepare it first would take a second turn in the thread pool. */
async function executeAtOnce(engine: Engine, statement: string, signal: AbortSignal): Promise<Executed> {
  if (setsSeed(statement)) engine.noteSeed();
  const result = await engine.step(statement, signal, () => duckdb.query(engine.connection, statement));
  const type = duckdb.result_statement_type(result);
  noteNeed(engine, statement, type);
  return { result, type, parts: 1 };
}

/** Records that a statement has left something in the session; when in doubt, it has. */
function noteNeed(engine: Engine, statement: string, type: duckdb.StatementType): void {
  const isLasting =
    type === Type.CREATE
      ? CREATES_LASTING.test(statement) && !NAMES_TEMPORARY.test(statement)
      : LASTING.has(type);
  if (!isLasting || setsSeed(statement)) engine.isNeeded = true;
}

/** Whether the engine expands a text into several statements. Rejects with a DatabaseError. */
export async function isSeveral(engine: Engine, statement: string, signal: AbortSignal): Promise<boolean> {
  return !findTypes(statement).isOne && (await extract(engine, statement, signal)).parts > 1;
}

/** Rolls back the transaction of a PIVOT that exceeds the quota. Rejects with a DatabaseError of code `quota`. */
async function checkRoom(engine: Engine, statement: string): Promise<void> {
  try {
    await engine.checkCommit(mayUpdate(statement));
  } catch (error) {
    await duckdb.query(engine.connection, 'ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Has the engine parse a query on its own; in a sandbox, the engine must also parse it as a query. Rejects with a
 * DatabaseError.
 */
export async function checkAlone(engine: Engine, query: string, signal: AbortSignal): Promise<void> {
  await extract(engine, query, signal);
}

/** Prepares a text as one statement, which avoids a separate parse; null when it is several statements, or none. */
async function prepareWhole(
  engine: Engine,
  statement: string,
  signal: AbortSignal,
): Promise<duckdb.PreparedStatement | null> {
  if (!findTypes(statement).isOne) return null;
  try {
    return await engine.step(statement, signal, () => duckdb.prepare(engine.connection, statement));
  } catch (error) {
    const { parts } = await extract(engine, statement, signal);
    if (parts === 1) throw error;
    return null;
  }
}

async function extract(engine: Engine, statement: string, signal: AbortSignal) {
  const { extracted_statements: extracted, statement_count: parts } = await engine.step(
    statement,
    signal,
    () => duckdb.extract_statements(engine.connection, statement),
  );
  const error = parts === 0 ? readExtractionError(extracted) : null;
  if (error !== null) throw toDatabaseError(error, statement);
  if (engine.gate !== null && parts > 1 && findTypes(statement).isOne) throw createMisread();
  return { extracted, parts };
}

async function executePart(
  engine: Engine,
  statement: string,
  extracted: duckdb.ExtractedStatements,
  part: number,
  signal: AbortSignal,
): Promise<Omit<Executed, 'parts'>> {
  const prepared = await engine.step(statement, signal, () =>
    duckdb.prepare_extracted_statement(engine.connection, extracted, part),
  );
  return executePrepared(engine, statement, prepared, signal);
}

async function executePrepared(
  engine: Engine,
  statement: string,
  prepared: duckdb.PreparedStatement,
  signal: AbortSignal,
): Promise<Omit<Executed, 'parts'>> {
  try {
    if (engine.values.length === 0) checkNoParameters(prepared);
    else (await import('./bind-values.ts')).bindValues(prepared, engine.values);
    const type = duckdb.prepared_statement_type(prepared);
    if (engine.gate !== null && !findTypes(statement).types.includes(type)) throw createMisread();
    if (!TRACELESS.includes(type)) engine.hasTraces = true;
    if (setsSeed(statement)) engine.noteSeed();
    const result = await runPrepared(engine, statement, prepared, type, signal);
    noteNeed(engine, statement, type);
    return { result, type };
  } finally {
    duckdb.destroy_prepare_sync(prepared);
  }
}

/** A statement that may grow the database is complete when it has a result. */
async function runPrepared(
  engine: Engine,
  statement: string,
  prepared: duckdb.PreparedStatement,
  type: duckdb.StatementType,
  signal: AbortSignal,
): Promise<duckdb.Result> {
  if (engine.quota !== null && type !== Type.TRANSACTION && mayGrow(statement)) {
    const result = await engine.grow(statement, signal, engine.quota, () =>
      duckdb.execute_prepared(prepared),
    );
    engine.quota.noteFreed(findFreed(statement, type));
    return result;
  }
  const isShort = type === Type.CREATE || isOneRow(statement);
  const run = isShort ? duckdb.execute_prepared : duckdb.execute_prepared_streaming;
  const result = await engine.step(statement, signal, () => run(prepared));
  engine.quota?.noteFreed(findFreed(statement, type));
  return result;
}

function checkNoParameters(prepared: duckdb.PreparedStatement): void {
  const count = duckdb.nparams(prepared);
  if (count === 0) return;
  const names = Array.from({ length: count }, (_, i) => `$${duckdb.parameter_name(prepared, i + 1)}`);
  throw new DatabaseError('sql', `The statement has parameters without a value: ${names.join(', ')}.`);
}

/** The extraction error; null without one, because the bindings throw other errors. */
function readExtractionError(extracted: duckdb.ExtractedStatements): string | null {
  try {
    return duckdb.extract_statements_error(extracted);
  } catch {
    return null;
  }
}
