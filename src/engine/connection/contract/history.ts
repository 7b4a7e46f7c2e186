// The states of rows (docs/reference/history.md). A table of states has the columns of its block, and the times from and to
// which a row was so, in UTC. The end does not belong to a state; that of a current state is NULL.

import { checkKey, checkNoNull, type KeyDialect } from './check-key.ts';
import type { ColumnChanges } from './column-changes.ts';
import { DatabaseError, type HistoryRows, type PublishedName, type Publishing } from './connection.ts';
import { type Run, readTexts, runAround } from './run-inner.ts';

/** The columns of a state that its block does not have. */
export const STATE_COLUMNS: readonly string[] = ['valid_from', 'valid_to'];

/** Publishes the first states. Rejects like `replaceTable`; the offset of an error is one in the query. */
export async function startHistory(
  replaceTable: Publishing['replaceTable'],
  [target, query, names]: readonly [target: PublishedName, query: string, names: readonly string[]],
  { key, primary = [], time }: HistoryRows,
  stateType: string,
  signal: AbortSignal,
): Promise<number | null> {
  const taken = describeTaken(names);
  if (taken.length > 0) throw new DatabaseError('sql', taken.join('; '));
  const before = `SELECT quern_query.*, ${printTime(time)} AS valid_from, CAST(NULL AS ${stateType}) AS valid_to FROM (`;
  let rows: number | null = null;
  const replace: Run = async (statement) => {
    rows = await replaceTable(target, statement, { primary, unique: key, isWhole: true }, signal);
    return { kind: 'done', rowsChanged: 0 };
  };
  await runAround(replace, [before, query, ') AS quern_query'], signal);
  return rows;
}

/** The columns of a query that have the name of a column of states. */
export function describeTaken(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => STATE_COLUMNS.includes(name.toLowerCase()))
    .map(
      (name) =>
        `the history has a column \`${name}\`, too: give that of the query another name, such as \`${name.toLowerCase()}_in_source\``,
    );
}

/** New rows that become states of a table; `source` and `target` are SQL. */
export interface NewStates {
  readonly source: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The columns whose values are compared. */
  readonly compared: readonly string[];
  /** As in `HistoryRows`. */
  readonly time: string;
}

/** The columns of states, and those that are compared: all but the key, if the publication names none. */
export function listCompared(
  { written }: ColumnChanges,
  key: readonly string[],
  changes: readonly string[] | null,
): Pick<NewStates, 'columns' | 'key' | 'compared'> {
  const columns = written.map(({ table }) => table);
  const keys = new Set(key.map((name) => name.toLowerCase()));
  return { columns, key, compared: changes ?? columns.filter((name) => !keys.has(name.toLowerCase())) };
}

/** A time in UTC, as SQL of every database; it has no time zone, so that the session's does not matter. */
export function printTime(time: string): string {
  return `TIMESTAMP '${time}'`;
}

/**
 * Checks new rows before they become states: their keys are different, and no state of the table is later. Rejects with a
 * DatabaseError.
 */
export async function checkStates(
  run: Run,
  dialect: KeyDialect,
  [states, { name }]: readonly [
    states: Pick<NewStates, 'source' | 'target' | 'key' | 'time'>,
    table: PublishedName,
  ],
  signal: AbortSignal,
): Promise<void> {
  const { source, target, key, time } = states;
  await checkNoNull(run, dialect, { source, name, key }, 'key', signal);
  await checkKey(run, dialect, { source, name, key }, signal);
  const times = STATE_COLUMNS.map((column) => `SELECT MAX(${column}) AS latest FROM ${target}`);
  const latest = `SELECT MAX(latest) AS latest FROM (${times.join(' UNION ALL ')}) AS quern_times`;
  const statement = `SELECT ${dialect.printValue('latest')} FROM (${latest}) AS quern_latest WHERE latest > ${printTime(time)}`;
  const [row] = await readTexts(await run(statement, signal));
  if (row === undefined) return;
  const message = `The latest state of ${dialect.quoteName(name)} is from ${row[0]}, after the time of this run, ${time} (both in UTC): correct the clock of the machine that runs quern, or run again after the time of that state`;
  throw new DatabaseError('sql', message);
}

/**
 * The statements that close the current states which are no longer so, and open new ones. A state that began at this time
 * never was so, and is deleted.
 */
export function printStates(
  { source, target, columns, key, compared, time }: NewStates,
  quoteName: (name: string) => string,
): readonly string[] {
  const now = printTime(time);
  const pair = (column: string, operator: string) =>
    `target.${quoteName(column)} ${operator} source.${quoteName(column)}`;
  const sameKey = key.map((column) => pair(column, '=')).join(' AND ');
  const same = [sameKey, ...compared.map((column) => pair(column, 'IS NOT DISTINCT FROM'))].join(' AND ');
  const isOver = `target.valid_to IS NULL AND NOT EXISTS (SELECT 1 FROM ${source} AS source WHERE ${same})`;
  const names = columns.map(quoteName).join(', ');
  const values = columns.map((column) => `source.${quoteName(column)}`).join(', ');
  return [
    `DELETE FROM ${target} AS target WHERE target.valid_from = ${now} AND ${isOver}`,
    `UPDATE ${target} AS target SET valid_to = ${now} WHERE ${isOver}`,
    `INSERT INTO ${target} (${names}, valid_from) SELECT ${values}, ${now} FROM ${source} AS source
      WHERE NOT EXISTS (SELECT 1 FROM ${target} AS target WHERE target.valid_to IS NULL AND ${sameKey})`,
  ];
}
