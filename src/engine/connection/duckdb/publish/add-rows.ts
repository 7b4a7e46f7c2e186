import { randomUUID } from 'node:crypto';
import { quoteName } from '../../../text/sql-quote.ts';
import { checkChanges } from '../../contract/check-columns.ts';
import { checkKey, checkNoNull, type KeyDialect } from '../../contract/check-key.ts';
import { type ColumnChanges, listMerged, type TableChanges } from '../../contract/column-changes.ts';
import type {
  AddedRows,
  HistoryRows,
  Merge,
  PublishedName,
  Publishing,
  TableKeys,
} from '../../contract/connection.ts';
import { checkStates, listCompared, printStates } from '../../contract/history.ts';
import type { Run, runAround, Transact } from '../../contract/run-inner.ts';

export const KEY_DIALECT: KeyDialect = {
  quoteName,
  printValue: (column) => `coalesce(${quoteName(column)}::VARCHAR, 'NULL')`,
};

const never = new AbortController().signal;

interface Adding {
  readonly run: Run;
  readonly around: (parts: Parameters<typeof runAround>[1], signal: AbortSignal) => Promise<unknown>;
  readonly transact: Transact;
}

/** Adds rows to tables that exist. */
export function createAdding(
  adding: Adding,
  compare: Publishing['compareColumns'],
): Pick<Publishing, 'compareColumns' | 'append' | 'merge' | 'continueHistory'> {
  const { run, around } = adding;
  const addRows = createAddRows(adding, compare);
  return {
    compareColumns: compare,
    append: (target, query, rows, signal) =>
      addRows(target, query, rows, signal, async (changes) => {
        const names = printNames(changes.written.map(({ table }) => table));
        const [before, after] = printProjection(changes);
        await around([`INSERT INTO ${printTarget(target)} (${names}) ${before}`, query, after], signal);
      }),
    merge: (target, query, merge, signal) =>
      addRows(target, query, merge, signal, (changes) =>
        withSource(adding, [target, query, changes], signal, async (source) => {
          await checkUnique(run, [source, target], { unique: merge.key }, signal);
          await run(printMerge(source, target, merge, listMerged(changes)), signal);
        }),
      ),
    continueHistory: (target, query, history, signal) =>
      addRows(target, query, history, signal, (changes) =>
        withSource(adding, [target, query, changes], signal, async (source) => {
          const states = {
            ...listCompared(changes, history.key, history.changes),
            source,
            target: printTarget(target),
            time: history.time,
          };
          await checkStates(run, KEY_DIALECT, [states, target], signal);
          for (const statement of printStates(states, quoteName)) await run(statement, signal);
        }),
      ),
  };
}

/**
 * Changes the columns of a table, and adds rows to it in the same transaction; `add` may run without one if it is a single
 * statement and the columns stay. Resolves with the changes.
 */
function createAddRows({ run, transact }: Adding, compare: Publishing['compareColumns']) {
  return async (
    target: PublishedName,
    query: string,
    rows: AddedRows | Merge | HistoryRows,
    signal: AbortSignal,
    add: (changes: ColumnChanges) => Promise<void>,
  ): Promise<ColumnChanges> => {
    const work = async () => {
      const changes = await compare(target, query, rows, signal);
      checkChanges(target.name, changes, rows);
      for (const statement of printAlter(target, changes)) await run(statement, signal);
      await add(changes);
      return changes;
    };
    return 'time' in rows || (rows.onSchemaChange ?? 'fail') !== 'fail' ? transact(signal, work) : work();
  };
}

/** The statements that change the columns of a table. */
function printAlter(target: PublishedName, { added, widened, dropped }: TableChanges): readonly string[] {
  return [
    ...added.map(({ name, type }) => `ADD COLUMN ${quoteName(name)} ${type}`),
    ...widened.map(({ name, type }) => `ALTER COLUMN ${quoteName(name)} SET DATA TYPE ${type}`),
    ...dropped.map(({ name }) => `DROP COLUMN ${quoteName(name)}`),
  ].map((change) => `ALTER TABLE ${printTarget(target)} ${change}`);
}

function printNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** Around a query: selects the columns that are stored. */
function printProjection({ written, ignored }: ColumnChanges): readonly [before: string, after: string] {
  if (ignored.length === 0) return ['', ''];
  return [`SELECT ${printNames(written.map(({ query }) => query))} FROM (`, ') AS quern_query'];
}

/** Stores new rows in a temporary table with the columns of the target while `work` runs. */
async function withSource(
  { run, around }: Adding,
  [target, query, changes]: readonly [target: PublishedName, query: string, changes: ColumnChanges],
  signal: AbortSignal,
  work: (source: string) => Promise<void>,
): Promise<void> {
  const source = `quern_source_${randomUUID().slice(0, 8)}`;
  const columns = printNames(listMerged(changes));
  await run(`CREATE TEMP TABLE ${source} AS SELECT ${columns} FROM ${printTarget(target)} LIMIT 0`, signal);
  try {
    const [before, after] = printProjection(changes);
    const names = printNames(changes.written.map(({ table }) => table));
    await around([`INSERT INTO ${source} (${names}) ${before}`, query, after], signal);
    await work(source);
  } finally {
    await run(`DROP TABLE IF EXISTS temp.${source}`, never).catch(() => {});
  }
}

/** Checks that the key of each row is unique. Rejects with a DatabaseError. */
export async function checkUnique(
  run: Run,
  [source, { name }]: readonly [source: string, target: PublishedName],
  { unique: key, isWhole = false }: Omit<TableKeys, 'primary'>,
  signal: AbortSignal,
): Promise<void> {
  if (isWhole) await checkNoNull(run, KEY_DIALECT, { source, name, key }, 'key', signal);
  await checkKey(run, KEY_DIALECT, { source, name, key }, signal);
}

/** The qualified name of a target. */
export function printTarget({ database, schema, name }: PublishedName): string {
  return [database, schema, name].map(quoteName).join('.');
}

function printMerge(
  source: string,
  target: PublishedName,
  { key, changes }: Merge,
  columns: readonly string[],
): string {
  const isKey = (column: string) => key.some((keyColumn) => keyColumn.toLowerCase() === column.toLowerCase());
  const pair = (column: string, operator: string) =>
    `target.${quoteName(column)} ${operator} source.${quoteName(column)}`;
  const others = columns.filter((column) => !isKey(column));
  const differs = changes?.map((column) => pair(column, 'IS DISTINCT FROM')).join(' OR ');
  const update = others.map((column) => `${quoteName(column)} = source.${quoteName(column)}`).join(', ');
  const matched = `WHEN MATCHED${differs === undefined ? '' : ` AND (${differs})`} THEN UPDATE SET ${update}`;
  return `MERGE INTO ${printTarget(target)} AS target USING ${source} AS source
    ON (${key.map((column) => pair(column, 'IS NOT DISTINCT FROM')).join(' AND ')})
    ${others.length === 0 ? '' : matched}
    WHEN NOT MATCHED THEN INSERT (${columns.map(quoteName).join(', ')})
    VALUES (${columns.map((column) => `source.${quoteName(column)}`).join(', ')})`;
}
