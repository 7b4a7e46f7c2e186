import { findDataFormat, printLoad } from '../../engine/run/load-files.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { DataFile } from '../api/data-input.ts';
import { createJsonCollector } from '../api/json-result.ts';
import type { LoadOutcome } from '../api/workspace-api.ts';
import { examineFiles } from './examine-files.ts';
import { explainReadError } from './explain-read-error.ts';
import type { Query, TableToLoad } from './table-to-load.ts';
import { warnOfOddValues } from './warn-of-odd-values.ts';
import { warnOfEmpty, warnOfQuotes, warnOfShape } from './warnings.ts';

export { findDataFormat };

/** Runs SQL and passes the bytes of its JSON result to `write`. */
export type RunText = (text: string, write: (bytes: Uint8Array) => void) => Promise<ExecutionOutcome>;

type Failed = Extract<LoadOutcome, { status: 'failed' }>;

/** Carries a failed run to the caller. */
class FailedRun extends Error {
  readonly error: Failed['error'];

  constructor(error: Failed['error']) {
    super(error.message);
    this.error = error;
  }
}

/**
 * Loads files into a table and reads back its columns and rows. Errors name the files as the caller gave them. Rejects
 * with a ServiceError for files that do not match each other.
 */
export async function loadTable(table: TableToLoad, run: RunText): Promise<LoadOutcome> {
  const query = createQuery(run, table.files);
  const { settings, compression, format } = table;
  const paths = table.files.map(({ path }) => path);
  const read = { ...settings, compression, format, files: paths };
  try {
    const { shapes, types } = await examineFiles(table, read, query);
    const load = { ...read, types, table: table.table, replace: table.replace };
    const rows = await query<readonly [string, string, number]>(printLoad(load));
    const columns = rows.map(([name, type]) => ({ name, type }));
    const warnings = [
      ...warnOfEmpty(table),
      ...warnOfShape(table, shapes),
      ...(await warnOfQuotes(table, { shapes, columns, query })),
      ...(await warnOfOddValues(table, columns, query)),
    ];
    return { status: 'done', rows: rows[0]?.[2] ?? 0, columns, warnings };
  } catch (error) {
    if (error instanceof FailedRun) return { status: 'failed', error: error.error };
    throw error;
  }
}

function createQuery(run: RunText, files: readonly DataFile[]): Query {
  return async <Row>(text: string) => {
    const collector = createJsonCollector();
    const outcome = await run(text, collector.write);
    if (outcome.status === 'failed') throw new FailedRun(explainError(outcome.error, files));
    return collector.read<Row>().data;
  };
}

/** Drops positions, which refer to generated SQL. */
function explainError(error: Failed['error'], files: readonly DataFile[]): Failed['error'] {
  const message = files.reduce((text, { path, origin }) => text.replaceAll(path, origin), error.message);
  const explained = error.code === 'sql' ? explainReadError(message) : { message };
  return { ...error, ...explained, diagnostics: [] };
}
