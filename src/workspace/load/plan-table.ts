import type { NumberStyle } from '../../engine/run/load/kinds.ts';
import {
  type CsvLayout,
  type FilesToRead,
  printCsvTexts,
  printReader,
} from '../../engine/run/load/read-files.ts';
import type { TextSource } from '../../engine/run/load/survey.ts';
import { printRows, type RowColumn, type TableToWrite } from '../../engine/run/load/write-table.ts';
import { findSheetTypes } from '../spreadsheets/read-sheet.ts';
import { declareTypes } from './declare-types.ts';
import { examineFiles } from './examine-files.ts';
import { refuseChanged } from './failed-run.ts';
import { findAppendTarget, refuseTaken } from './find-append-target.ts';
import { readFileState } from './prepare-inputs.ts';
import { refuseFolds } from './refuse-fold.ts';
import { findNamedColumn, mergeColumns } from './shape.ts';
import { surveyColumns } from './survey-columns.ts';
import type { TableStore } from './table-store.ts';
import type { RunQuery, TableToLoad } from './table-to-load.ts';
import { warnOfEmpty, warnOfOddValues, warnOfQuotes, warnOfRenamed, warnOfShape } from './warnings.ts';

/** How a table is written, and what is known before. */
export interface TablePlan {
  readonly write: TableToWrite;
  readonly warnings: readonly string[];
}

/** What the plan of a table needs. */
export interface Planning {
  readonly query: RunQuery;
  readonly store: TableStore;
  readonly signal: AbortSignal;
}

interface FoundColumn {
  readonly name: string;
  /** Undefined for CSV. */
  readonly type?: string;
}

/**
 * Reads all rows of the files of a table and chooses the types of its columns. Rejects with a ServiceError or a FailedRun
 * for files that do not match each other or the table, and for values that a declared type does not hold.
 */
export async function planTable(table: TableToLoad, planning: Planning): Promise<TablePlan> {
  const { query, store } = planning;
  const states = table.files.map((file) => {
    const state = readFileState(file);
    if (state === undefined) throw refuseChanged([file.name]);
    return state;
  });
  const read = toRead(table);
  const shapes = await examineFiles(table, read, planning);
  refuseFolds(table, shapes);
  const found = mergeColumns(shapes);
  const names = found.map(({ name }) => name);
  if (table.mode === 'create') await refuseTaken(table, store);
  const target = table.mode === 'append' ? await findAppendTarget(table, names, store) : undefined;
  const layouts = shapes.flatMap(({ layout }) => layout ?? []);
  const cells = findSheetTypes(
    table.files.map(({ sheet }) => sheet),
    layouts.map((layout) => layout.names),
    table.settings,
  );
  const declared = await declareTypes(table, { names, target, found: cells, query });
  const asText = chooseTexts(table, found, (name) => declared.get(name)?.type);
  const source = createSource(read, layouts, { found, asText });
  const style: NumberStyle = { decimal: table.settings.decimal, thousands: table.settings.thousands };
  const texts = { source, style, query };
  const survey = await surveyColumns({
    ...texts,
    ...planning,
    table,
    read,
    layouts,
    names: asText,
    declared,
  });
  const columns = found.map(({ name, type = 'VARCHAR' }): RowColumn => {
    const column = survey.columns.find((one) => one.name === name);
    const as = findNamedColumn(target?.columns ?? [], name)?.name ?? name;
    return column === undefined ? { name, type, as, isDirect: true } : { ...column, as, isDirect: false };
  });
  const warnings = [
    ...warnOfEmpty(table),
    ...warnOfShape(table, shapes),
    ...tellOfAdded(table, target?.added ?? []),
    ...(await warnOfRenamed(table, layouts, read, query)),
    ...survey.warnings,
    ...(await warnOfQuotes(table, layouts, { ...texts, columns })),
    ...(await warnOfOddValues(table, { ...texts, columns })),
  ];
  const added = columns.filter(({ name }) => target?.added.includes(name));
  const write = {
    table: table.table,
    mode: table.mode,
    query: printRows(source, columns, style),
    rows: survey.rows,
    files: states,
    columns: columns.map(({ as, type }) => ({ name: as, type })),
    added,
  };
  return { write, warnings };
}

/** Names the columns that an existing table gets. */
function tellOfAdded({ table }: TableToLoad, added: readonly string[]): readonly string[] {
  return added.map((name) => `${table} gets the column \`${name}\`, which is NULL in its earlier rows`);
}

function toRead({ settings, compression, format, files }: TableToLoad): FilesToRead {
  return { ...settings, compression, format, files: files.map(({ path }) => path) };
}

/** The names of the columns that are read as texts; the others keep the types that the engine detects. */
function chooseTexts(
  { format, settings }: TableToLoad,
  found: readonly FoundColumn[],
  declaredType: (name: string) => string | undefined,
): readonly string[] {
  if (format === 'csv') return found.map(({ name }) => name);
  if (format === 'parquet') {
    return found.filter(({ name, type }) => (declaredType(name) ?? type) !== type).map(({ name }) => name);
  }
  if (hasOtherKeys(found)) return [];
  const isNested = (type: string) => /[(\]]$|^STRUCT|^MAP|\)$/.test(type) && !type.startsWith('DECIMAL');
  return found
    .filter(({ name, type = '' }) => settings.allText || declaredType(name) !== undefined || !isNested(type))
    .map(({ name }) => name);
}

/** Whether the columns of JSON are not the keys of objects: other values, or keys that differ in case. */
function hasOtherKeys(found: readonly FoundColumn[]): boolean {
  const names = found.map(({ name }) => name.toLowerCase());
  const isRenamed = names.some((name) => names.includes(name.replace(/_\d+$/, '')) && /_\d+$/.test(name));
  return isRenamed || (found.length === 1 && names[0] === 'json');
}

function createSource(
  read: FilesToRead,
  layouts: readonly CsvLayout[],
  { found, asText }: { readonly found: readonly FoundColumn[]; readonly asText: readonly string[] },
): TextSource {
  if (read.format === 'csv') return { kind: 'text', relation: printCsvTexts(read, layouts) };
  if (read.format === 'parquet') return { kind: 'value', relation: printReader(read) };
  if (asText.length === 0) return { kind: 'json', relation: printReader({ ...read, types: undefined }) };
  const types = found.map(({ name, type = 'JSON' }) => [name, asText.includes(name) ? 'JSON' : type]);
  return { kind: 'json', relation: printReader({ ...read, types: Object.fromEntries(types) }) };
}
