import { FILES_CHANGED, printFirstRows, toSeconds } from '../../engine/run/load/write-table.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { elementAt } from '../../invariants/must.ts';
import { createJsonCollector } from '../api/json-result.ts';
import type { LoadedTable, LoadOutcome } from '../api/workspace-api.ts';
import { explainReadError } from './explain-read-error.ts';
import { FailedRun, refuseChanged, refuseData } from './failed-run.ts';
import { findLongLine } from './find-row-line.ts';
import { planTable, type TablePlan } from './plan-table.ts';
import { readFileState } from './prepare-inputs.ts';
import { createDuckDbStore, type TableStore } from './table-store.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

/** Runs SQL and passes the bytes of its JSON result to `write`. */
type RunText = (text: string, write: (bytes: Uint8Array) => void) => Promise<ExecutionOutcome>;

/** What a load needs. */
export interface LoadingTables {
  /** Runs SQL in the DuckDB database that reads the files. */
  readonly run: RunText;
  /** The database of the tables; undefined: the one that reads the files. */
  readonly store: TableStore | undefined;
  /** Throws a FailedRun if a file has changed since it was found. */
  readonly checkUnchanged: () => void;
  readonly signal: AbortSignal;
}

/**
 * Loads files into tables, all or none, and reads back their columns and rows. Errors name the files as the caller gave
 * them. Rejects with a ServiceError for files that do not match each other.
 */
export async function loadTables(
  tables: readonly TableToLoad[],
  { run, store: otherStore, checkUnchanged, signal }: LoadingTables,
): Promise<LoadOutcome> {
  const query = createQuery(run, tables, signal);
  const store = otherStore ?? createDuckDbStore(query);
  try {
    const plans: TablePlan[] = [];
    for (const table of tables) plans.push(await planTable(table, { query, store, signal }));
    checkUnchanged();
    if (elementAt(tables, 0).isDryRun) {
      const previews = plans.map((plan) => preview(plan, query, store));
      return { status: 'done', tables: await Promise.all(previews) };
    }
    const columns = await store.write(plans.map(({ write }) => write));
    if (otherStore === undefined) checkMoment(tables, plans);
    const loaded = plans.map(({ write: { table, rows }, warnings }, at) => ({
      table,
      rows,
      columns: elementAt(columns, at),
      warnings,
    }));
    return { status: 'done', tables: loaded };
  } catch (error) {
    if (error instanceof FailedRun) return { status: 'failed', error: error.error };
    throw error;
  }
}

/** Throws a FailedRun if a file has changed twice within a second, which the database has not seen. */
function checkMoment(tables: readonly TableToLoad[], plans: readonly TablePlan[]): void {
  for (const [at, { write }] of plans.entries()) {
    const files = elementAt(tables, at).files.map(readFileState);
    const isHidden = write.files.some((before, index) => {
      const after = files[index] ?? before;
      return after.changedAt !== before.changedAt && toSeconds(after) === toSeconds(before);
    });
    if (!isHidden) continue;
    throw refuseData(
      `a file changed while it was read, and ${write.table} may have values of both versions`,
      'Load it again with --replace',
    );
  }
}

async function preview(
  { write, warnings }: TablePlan,
  query: RunQuery,
  store: TableStore,
): Promise<LoadedTable> {
  const head = await query<readonly (string | null)[]>(printFirstRows(write));
  const columns = write.columns.map(({ name, type }) => ({ name, type: store.nameType(type) }));
  return { table: write.table, rows: write.rows, columns, warnings, head };
}

function createQuery(run: RunText, tables: readonly TableToLoad[], signal: AbortSignal): RunQuery {
  return async <Row>(text: string) => {
    const collector = createJsonCollector();
    const outcome = await run(text, collector.write);
    if (outcome.status === 'failed') throw await explainError(outcome.error, tables, signal);
    return collector.read<Row>().data;
  };
}

/** Drops positions, which refer to generated SQL. */
async function explainError(
  error: FailedRun['error'],
  tables: readonly TableToLoad[],
  signal: AbortSignal,
): Promise<FailedRun> {
  const files = tables.flatMap((table) => table.files);
  if (error.message.includes(FILES_CHANGED)) return refuseChanged(files.map(({ name }) => name));
  const message = files.reduce((text, { path, name }) => text.replaceAll(path, name), error.message);
  const explained = error.code === 'sql' ? explainReadError(message) : { message };
  const placed = { ...explained, message: await placeLongLine(explained.message, tables, signal) };
  return new FailedRun({ ...error, ...placed, diagnostics: [] });
}

/** The message about a line that is too long, with the number of that line: the engine has the number of an earlier one. */
async function placeLongLine(
  message: string,
  tables: readonly TableToLoad[],
  signal: AbortSignal,
): Promise<string> {
  const [, named, rest, limit] = /^(.*):\d+(: this line has more than (\d+) bytes)$/.exec(message) ?? [];
  for (const { files, compression } of tables) {
    const file = files.find(({ name }) => name === named);
    const line = file && (await findLongLine({ path: file.path, compression }, Number(limit), signal));
    if (line) return `${named}:${line}${rest}`;
  }
  return message;
}
