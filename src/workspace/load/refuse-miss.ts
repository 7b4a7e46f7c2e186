import { chooseType } from '../../engine/run/load/choose-type.ts';
import { isNumeric, type LoadColumn } from '../../engine/run/load/columns.ts';
import { type CsvLayout, type FilesToRead, printCsvTexts } from '../../engine/run/load/read-files.ts';
import { printFirstMiss, printSurvey, type TextSource } from '../../engine/run/load/survey.ts';
import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt } from '../../invariants/must.ts';
import { chooseColumn, chooseDigits, isMixedDates, type Texts } from './choose-column.ts';
import { shorten } from './explain-read-error.ts';
import { type FailedRun, refuseData } from './failed-run.ts';
import { findRowLine } from './find-row-line.ts';
import type { TableStore } from './table-store.ts';
import type { TableToLoad } from './table-to-load.ts';

/** A column with values that its declared type does not hold. */
interface Missed {
  readonly table: TableToLoad;
  readonly read: FilesToRead;
  /** One per file of csv. */
  readonly layouts: readonly CsvLayout[];
  /** The type is declared. */
  readonly column: LoadColumn;
  /** The name of the column in the files. */
  readonly name: string;
  readonly texts: Texts;
  readonly store: TableStore;
  readonly signal: AbortSignal;
}

interface Miss {
  readonly place: string;
  readonly value: string;
  readonly isValid: boolean;
}

/** An error with the place of the first value that a declared type does not hold exactly, and a type that holds it. */
export async function refuseMiss(missed: Missed): Promise<FailedRun> {
  const { table, column, name, texts } = missed;
  const { place, value, isValid } = await findMiss(missed);
  const shown = `\`${shorten(value)}\``;
  const message = isValid
    ? `${place}: ${column.serverType ?? column.type} does not hold ${shown} of the column \`${name}\` exactly`
    : `${place}: ${shown} in the column \`${name}\` is not a valid ${describeType(column)}`;
  const type = await findHoldingType(texts, column, name);
  if (table.mode === 'append') {
    const alter = missed.store.printChangeType(table.table, name, type);
    const advice =
      alter === null
        ? 'Without --append, --table NAME loads it into a new table'
        : `quern sql ${quoteArgument(alter)} makes the table hold it`;
    return refuseData(message, advice);
  }
  const asType = `--types ${quoteArgument(`${name}=${type}`)}`;
  if (type !== 'VARCHAR') return refuseData(message, `${asType} holds it`);
  const asNull = table.format === 'csv' ? `--null ${quoteArgument(value)} reads this text as NULL; ` : '';
  return refuseData(message, `${asNull}${asType} reads the column as text`);
}

function describeType({ type, format, serverType = type }: LoadColumn): string {
  return format === undefined ? serverType : `${serverType} in the format ${quoteArgument(format)}`;
}

async function findMiss(missed: Missed): Promise<Miss> {
  const { table, read, layouts, column, name, texts, signal } = missed;
  const read1 = async (source: TextSource) => {
    const rows = await texts.query<readonly [number, string, boolean]>(
      printFirstMiss(source, { ...column, name }, texts.style),
    );
    return rows[0];
  };
  for (const [at, layout] of layouts.entries()) {
    const part = { ...read, files: [elementAt(read.files, at)] };
    const { name: file, path, sheet } = elementAt(table.files, at);
    if (!layout.names.includes(name)) continue;
    const row = await read1({ kind: 'text', relation: printCsvTexts(part, [layout]) });
    if (row === undefined) continue;
    const line =
      sheet?.findRow(row[0]) ??
      (await findRowLine({ path, compression: read.compression }, layout, row[0], signal));
    return { place: `${file}:${line}`, value: row[1], isValid: row[2] };
  }
  const row = await read1(texts.source);
  const names = table.files.map((file) => file.name).join(', ');
  return { place: `${names}, row ${row?.[0] ?? 0}`, value: row?.[1] ?? '', isValid: row?.[2] ?? true };
}

/** The type that holds all values of a column exactly. */
async function findHoldingType(texts: Texts, column: LoadColumn, name: string): Promise<string> {
  const [row] = await texts.query<readonly number[]>(printSurvey(texts.source, [{ name }], texts.style));
  const kinds = row?.[1] ?? 0;
  if (isMixedDates(kinds)) return 'TIMESTAMP';
  if (column.type.startsWith('DECIMAL') && isNumeric(typeOf(kinds))) {
    return (await chooseDigits(texts, name)) ?? 'VARCHAR';
  }
  return (await chooseColumn(texts, name, kinds)).column.type;
}

function typeOf(kinds: number): string {
  const choice = chooseType(kinds);
  return choice.kind === 'type' ? choice.type : choice.kind === 'decimal' ? 'DECIMAL(38,0)' : 'VARCHAR';
}
