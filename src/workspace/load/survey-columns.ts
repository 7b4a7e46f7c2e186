import type { LoadColumn } from '../../engine/run/load/columns.ts';
import type { CsvLayout, FilesToRead } from '../../engine/run/load/read-files.ts';
import { printSurvey, printWideSurvey, type SurveyedColumn } from '../../engine/run/load/survey.ts';
import { elementAt } from '../../invariants/must.ts';
import { chooseColumn, findFormats, type Texts } from './choose-column.ts';
import { loadErrors } from './errors.ts';
import { refuseMiss } from './refuse-miss.ts';
import type { TableStore } from './table-store.ts';
import type { TableToLoad } from './table-to-load.ts';

/** The texts of a table, and what is declared about them. */
export interface Surveying extends Texts {
  readonly table: TableToLoad;
  readonly read: FilesToRead;
  readonly layouts: readonly CsvLayout[];
  /** Names of the columns whose texts are read. */
  readonly names: readonly string[];
  readonly declared: ReadonlyMap<string, LoadColumn>;
  readonly store: TableStore;
  readonly signal: AbortSignal;
}

/** What all rows say about the columns. */
export interface Survey {
  readonly rows: number;
  readonly columns: readonly LoadColumn[];
  readonly warnings: readonly string[];
}

/** The maximum of columns in one query. */
const COLUMNS_AT_ONCE = 400;

/**
 * Reads all rows and chooses the types of columns. Rejects with a FailedRun for a value that a declared type does not
 * hold exactly, and with a ServiceError for a format that no column has.
 */
export async function surveyColumns(surveying: Surveying): Promise<Survey> {
  const { names, declared } = surveying;
  const surveyed = names.map((name): SurveyedColumn => ({ name, declared: declared.get(name) }));
  const { rows, facts } = await findFacts(surveying, surveyed);
  const formatted = await findFormatted(surveying, facts);
  const columns: LoadColumn[] = [];
  const warnings: string[] = [];
  for (const [name, fact] of facts) {
    const known = declared.get(name) ?? formatted.get(name);
    if (declared.has(name) && fact > 0) throw await refuse(surveying, name, known);
    const chosen =
      known === undefined ? await chooseColumn(surveying, name, fact) : { column: known, warnings: [] };
    columns.push(chosen.column);
    warnings.push(...chosen.warnings);
  }
  return { rows, columns, warnings };
}

/** The number of rows, and for each column the bits of KIND, or the number of values that its type does not hold. */
async function findFacts({ source, style, query }: Texts, surveyed: readonly SurveyedColumn[]) {
  let rows = 0;
  const facts = new Map(surveyed.map(({ name }) => [name, 0]));
  const isWide = surveyed.length > COLUMNS_AT_ONCE && source.kind === 'text';
  const one = isWide ? surveyed.filter(({ declared }) => declared !== undefined) : surveyed;
  const many = isWide ? surveyed.filter(({ declared }) => declared === undefined) : [];
  for (let at = 0; at === 0 || at < one.length; at += COLUMNS_AT_ONCE) {
    const part = one.slice(at, at + COLUMNS_AT_ONCE);
    const [row] = await query<readonly (number | null)[]>(printSurvey(source, part, style));
    rows = row?.[0] ?? 0;
    for (const [index, { name }] of part.entries()) facts.set(name, row?.[index + 1] ?? 0);
  }
  if (many.length === 0) return { rows, facts };
  const names = many.map(({ name }) => name);
  for (const [at, kinds] of await query<readonly [number, number]>(printWideSurvey(source, names, style))) {
    facts.set(elementAt(names, at), kinds);
  }
  return { rows, facts };
}

async function refuse(surveying: Surveying, name: string, column: LoadColumn | undefined) {
  return refuseMiss({ ...surveying, column: column ?? { name, type: 'VARCHAR' }, name, texts: surveying });
}

/** The columns whose values have a format that the caller sets. */
async function findFormatted(
  surveying: Surveying,
  facts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, LoadColumn>> {
  const { declared, table } = surveying;
  const { dateFormat, timestampFormat } = table.settings;
  const formatted = new Map<string, LoadColumn>();
  for (const [flag, type, format] of [
    ['date-format', 'DATE', dateFormat],
    ['timestamp-format', 'TIMESTAMP', timestampFormat],
  ] as const) {
    if (format === undefined) continue;
    const open = [...facts].filter(
      ([name, kinds]) => kinds !== 0 && !declared.has(name) && !formatted.has(name),
    );
    for (const [name] of open) {
      const [fits] = await findFormats(surveying, name, [format]);
      if (fits !== undefined) formatted.set(name, { name, type, format });
    }
    const isUsed = [...declared.values(), ...formatted.values()].some((column) => column.format === format);
    if (!isUsed) throw loadErrors.unusedFormat(flag, format, type);
  }
  return formatted;
}
