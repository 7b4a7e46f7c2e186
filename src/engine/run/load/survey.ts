import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type LoadColumn, printIsExact, printIsValid } from './columns.ts';
import { KIND, type NumberStyle, printKind, printPlainNumber } from './kinds.ts';

/** Rows whose values are texts. */
export interface TextSource {
  /** A relation in SQL. */
  readonly relation: string;
  /** What the columns are: texts, JSON values, or values of any type. */
  readonly kind: 'text' | 'json' | 'value';
}

/** A column to examine: of an unknown type, or of a type that its values must have. */
export type SurveyedColumn =
  | { readonly name: string; readonly declared?: undefined }
  | { readonly name: string; readonly declared: LoadColumn };

/** An expression for the text of a column. */
export function printColumnText(source: TextSource, name: string): string {
  const column = quoteName(name);
  if (source.kind === 'text') return column;
  return source.kind === 'json' ? `(${column} ->> '$')` : `CAST(${column} AS VARCHAR)`;
}

/**
 * A query over all rows: their number, and for each column the bits of KIND of its values, or the number of values that
 * its declared type does not hold exactly.
 */
export function printSurvey(
  source: TextSource,
  columns: readonly SurveyedColumn[],
  style: NumberStyle,
): string {
  const facts = columns.map(({ name, declared }) => {
    if (declared === undefined) return `bit_or(${printColumnKind(source, name, style)})`;
    return `count(*) FILTER (WHERE NOT ${printIsExact(printColumnText(source, name), declared, style)})`;
  });
  return `SELECT ${['count(*)', ...facts].map((fact, at) => `${fact} AS f${at}`).join(', ')} FROM ${source.relation}`;
}

/**
 * A query for the bits of KIND of the values of many columns of texts, one row for each column with values: index, bits.
 * One expression for all columns takes a hundredth of the time to plan.
 */
export function printWideSurvey(source: TextSource, names: readonly string[], style: NumberStyle): string {
  const values = names.map((name) => printColumnText(source, name)).join(', ');
  const rows = `SELECT unnest([${values}]) AS value, unnest(range(${names.length})) AS position FROM ${source.relation}`;
  return `SELECT position, bit_or(${printKind('value', style)}) FROM (${rows}) GROUP BY position`;
}

function printColumnKind(source: TextSource, name: string, style: NumberStyle): string {
  const text = printColumnText(source, name);
  if (source.kind !== 'json') return printKind(text, style);
  const type = `json_type(${quoteName(name)})`;
  const clock = KIND.date | KIND.timestamp | KIND.zoned | KIND.time;
  return (
    `CASE ${type} WHEN 'VARCHAR' THEN CASE WHEN (${printKind(text, {})} & ${clock}) <> 0 THEN ${printKind(text, {})} ` +
    `WHEN ${text} IS NULL THEN 0 ELSE ${KIND.text} END ` +
    `WHEN 'OBJECT' THEN ${KIND.nested} WHEN 'ARRAY' THEN ${KIND.nested} ELSE ${printKind(text, {})} END`
  );
}

/** A query for the maximum of digits before and after the point of the numbers of a column. */
export function printDigitCounts(source: TextSource, name: string, style: NumberStyle): string {
  const number = `trim(${printPlainNumber(printColumnText(source, name), style)})`;
  const [before, after] = [`ltrim(split_part(${number}, '.', 1), '+-0')`, `split_part(${number}, '.', 2)`];
  return `SELECT max(length(${before})), max(length(${after})) FROM ${source.relation}`;
}

/** A query for the number of values of a column that do not have each of some formats. `maxRows` limits the rows. */
export function printFormatMisses(
  source: TextSource,
  name: string,
  { formats, maxRows }: { readonly formats: readonly string[]; readonly maxRows?: number },
): string {
  const counts = formats.map(
    (format, at) => `count(*) FILTER (WHERE try_strptime(value, ${quoteText(format)}) IS NULL) AS f${at}`,
  );
  const limit = maxRows === undefined ? '' : ` LIMIT ${maxRows}`;
  const text = printColumnText(source, name);
  return `SELECT ${counts.join(', ')} FROM (SELECT ${text} AS value FROM ${source.relation} WHERE ${text} IS NOT NULL${limit})`;
}

/** A query for the number of texts of a column that are not numbers in each of some styles, and for one text. */
export function printStyleMisses(source: TextSource, name: string, styles: readonly NumberStyle[]): string {
  const text = printColumnText(source, name);
  const counts = styles.map((style, at) => {
    const number = printPlainNumber(text, style);
    return `count(*) FILTER (WHERE ${text} IS NOT NULL AND TRY_CAST(${number} AS DECIMAL(38,10)) IS NULL) AS f${at}`;
  });
  return `SELECT ${counts.join(', ')}, max(${text}) FILTER (WHERE regexp_matches(${text}, '[^0-9]')) FROM ${source.relation}`;
}

/** A query for the first value that the declared type of a column does not hold: number of the row from 1, value, whether it is a value of the type. */
export function printFirstMiss(source: TextSource, column: LoadColumn, style: NumberStyle): string {
  const rows = `SELECT row_number() OVER () AS row_number, ${printColumnText(source, column.name)} AS value FROM ${source.relation}`;
  return (
    `SELECT row_number, value, ${printIsValid('value', column, style)} FROM (${rows}) ` +
    `WHERE NOT ${printIsExact('value', column, style)} LIMIT 1`
  );
}

/** A query that counts the texts of columns that start or end with a quote: name, count. */
export function printQuoteCount(source: TextSource, names: readonly string[]): string {
  const counts = names.map((name, at) => {
    const text = printColumnText(source, name);
    return `count(*) FILTER (WHERE ${text} LIKE '"%' OR ${text} LIKE '%"') AS f${at}`;
  });
  return `SELECT ${counts.join(', ')} FROM ${source.relation}`;
}

/** A column of texts, and a type that its values may have. */
export interface TypeGuess {
  readonly name: string;
  readonly type: string;
}

/**
 * A query that counts the values of columns which do not have a type: name, type, number of values, number of odd values,
 * number of distinct odd values, and one of them. NULL is not counted. `maxRows` limits the rows that it reads.
 */
export function printOddCount(source: TextSource, guesses: readonly TypeGuess[], maxRows?: number): string {
  const relation = maxRows === undefined ? source.relation : `(FROM ${source.relation} LIMIT ${maxRows})`;
  const queries = guesses.map(({ name, type }) => {
    const value = printColumnText(source, name);
    const odd = `FILTER (WHERE ${value} IS NOT NULL AND TRY_CAST(${value} AS ${type}) IS NULL)`;
    return (
      `SELECT ${quoteText(name)} AS name, ${quoteText(type)} AS type, count(${value}) AS values, count(*) ${odd} AS odd, ` +
      `count(DISTINCT ${value}) ${odd} AS distinct_odd, min(${value}) ${odd} AS example FROM ${relation}`
    );
  });
  return queries.join('\nUNION ALL ');
}
