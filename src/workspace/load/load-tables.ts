import { printFirstRows, printWrites, ROWS_CHANGED } from '../../engine/run/load/write-table.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { elementAt } from '../../invariants/must.ts';
import type { DataFile } from '../api/data-input.ts';
import { createJsonCollector } from '../api/json-result.ts';
import type { LoadedTable, LoadOutcome } from '../api/workspace-api.ts';
import { explainReadError } from './explain-read-error.ts';
import { FailedRun, refuseChanged } from './failed-run.ts';
import { planTable, type TablePlan } from './plan-table.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';

/** Runs SQL and passes the bytes of its JSON result to `write`. */
type RunText = (text: string, write: (bytes: Uint8Array) => void) => Promise<ExecutionOutcome>;

/** What a load needs. */
export interface LoadingTables {
  readonly run: RunText;
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
  { run, checkUnchanged, signal }: LoadingTables,
): Promise<LoadOutcome> {
  const query = createQuery(run, tables);
  try {
    const plans: TablePlan[] = [];
    for (const table of tables) plans.push(await planTable(table, { query, signal }));
    checkUnchanged();
    if (elementAt(tables, 0).isDryRun)
      return { status: 'done', tables: await Promise.all(plans.map((plan) => preview(plan, query))) };
    const loaded = await writeTables(plans, query);
    checkUnchanged();
    return { status: 'done', tables: loaded };
  } catch (error) {
    if (error instanceof FailedRun) return { status: 'failed', error: error.error };
    throw error;
  }
}

async function preview({ write, columns, warnings }: TablePlan, query: RunQuery): Promise<LoadedTable> {
  const head = await query<readonly (string | null)[]>(
    printFirstRows(
      write,
      columns.map(({ name }) => name),
    ),
  );
  return { table: write.table, rows: write.rows, columns, warnings, head };
}

async function writeTables(plans: readonly TablePlan[], query: RunQuery): Promise<readonly LoadedTable[]> {
  const rows = await query<readonly [number, string, string, number]>(
    printWrites(plans.map(({ write }) => write)),
  );
  return plans.map(({ write, warnings }, at) => {
    const facts = rows.filter(([table]) => table === at);
    const columns = facts.map(([, name, type]) => ({ name, type }));
    return { table: write.table, rows: write.rows, columns, warnings };
  });
}

function createQuery(run: RunText, tables: readonly TableToLoad[]): RunQuery {
  const files = tables.flatMap((table) => table.files);
  return async <Row>(text: string) => {
    const collector = createJsonCollector();
    const outcome = await run(text, collector.write);
    if (outcome.status === 'failed') throw explainError(outcome.error, files);
    return collector.read<Row>().data;
  };
}

/** Drops positions, which refer to generated SQL. */
function explainError(error: FailedRun['error'], files: readonly DataFile[]): FailedRun {
  if (error.message.includes(ROWS_CHANGED)) return refuseChanged(files.map(({ name }) => name));
  const message = files.reduce((text, { path, origin }) => text.replaceAll(path, origin), error.message);
  const explained = error.code === 'sql' ? explainReadError(message) : { message };
  return new FailedRun({ ...error, ...explained, diagnostics: [] });
}
