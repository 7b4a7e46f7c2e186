import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elementAt } from '../../../src/invariants/must.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { toLocal } from '../../../src/semantic/model/local-time.ts';
import type { ValueType } from '../../../src/semantic/model/model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { translateStatement } from '../../../src/semantic/translate/translate-statement.ts';
import type { Rows } from '../../engine/connection/results.ts';
import { hasPlatform, openSchema, type ShopDatabase, type Simple, simplifyRows } from '../shop-database.ts';
import { createToolTables } from './tool-data.ts';
import { createToolModel, createViews, NOW, REDSHIFT_FUNCTIONS } from './tool-shop.ts';
import { EXPECTED, listOutcomes, type Outcome, readTools, type ToolStatement } from './tool-statements.ts';

const TOOLS = readTools();
const STATEMENTS = TOOLS.flatMap(({ statements }) => statements);
const PLATFORMS = ['duckdb', 'postgresql'] as const;
const isThere = hasPlatform('postgresql');

/** A statement for PostgreSQL and its views. */
function toNative(text: string): string {
  const now = `TIMESTAMPTZ '${NOW}Z'`;
  return (
    text
      .replaceAll(/(?:"shop"\.)?"?\bsales\b"?\./g, 'shop.')
      // Semantic SQL sorts NULLs last in both directions.
      .replaceAll(/\bdesc\b(?!\s+nulls)/gi, 'DESC NULLS LAST')
      .replaceAll(/\bnow\(\)|\bcurrent_timestamp\b/gi, now)
      .replaceAll(/\bcurrent_date\b/gi, `CAST(${now} AS DATE)`)
      .replaceAll(/\blocaltimestamp\b/gi, `CAST(${now} AS TIMESTAMP)`)
      .replaceAll(/\b(dateadd|datediff)\((\w+),/gi, "$1('$2',")
  );
}

interface Compiled {
  readonly sql: string;
  readonly columns: readonly { readonly name: string; readonly dataType: ValueType }[];
  readonly warnings: readonly string[];
}

/** Creates a compiler of statements, which returns the message of a refused one. */
function createCompiler(parse: ParseStatements, platform: (typeof PLATFORMS)[number], zone: string) {
  const model = createToolModel(platform, zone);
  const asked = { model, index: createModelIndex(model) };
  const now = new Date(`${NOW.replace(' ', 'T')}Z`);
  return (text: string): Compiled | string => {
    try {
      const statements = parse(text);
      const statement = elementAt(statements, 0);
      if (statement.kind !== 'query') throw new Error(`a query is required: ${text}`);
      const { columns } = translateStatement(asked, statement.query, DIALECTS[platform], now).statement;
      const { sql, warnings } = elementAt(answerStatements(asked, statements, { strict: false, now }), 0);
      return { sql, columns, warnings };
    } catch (error) {
      if (error instanceof SemanticSqlError) return error.message;
      throw error;
    }
  };
}

const DAY_MICROS = 86_400_000_000;

/** A value of PostgreSQL as a DATE or a local time, where Semantic SQL has these types; otherwise the value itself. */
function convert(value: Simple, isMoment: boolean, dataType: ValueType | undefined, zone: string): Simple {
  if (value === null || (dataType !== 'DATE' && dataType !== 'TIMESTAMP')) return value;
  if (typeof value === 'string') return dataType === 'DATE' ? value : Date.parse(value) * 1000;
  const local = isMoment ? toLocal(Number(value) / 1000, zone) * 1000 : Number(value);
  const isDay = dataType === 'DATE' && local % DAY_MICROS === 0;
  return isDay ? new Date(local / 1000).toISOString().slice(0, 10) : local;
}

type SimpleRows = readonly (readonly Simple[])[];

function convertRows(native: Rows, { columns }: Compiled, zone: string): SimpleRows {
  const isMoment = native.columns.map(({ type }) => type.kind === 'timestamp' && type.utc);
  return simplifyRows(native).map((row) =>
    row.map((value, at) => convert(value, isMoment[at]!, columns[at]?.dataType, zone)),
  );
}

function isEqual(own: Simple, other: Simple | undefined): boolean {
  if (typeof own !== 'number' || typeof other !== 'number') return own === other;
  return Math.abs(own - other) <= 1e-12 * Math.max(Math.abs(own), Math.abs(other));
}

const toKey = (row: readonly Simple[]) =>
  JSON.stringify(row.map((value) => (typeof value === 'number' ? value.toPrecision(9) : value)));
const sortRows = (rows: SimpleRows) => [...rows].sort((left, right) => (toKey(left) < toKey(right) ? -1 : 1));

/** The first difference between two results; null if they are equal. */
function findDifference(own: SimpleRows, others: SimpleRows): string | null {
  if (own.length !== others.length) return `${own.length} rows, not ${others.length}`;
  const at = own.findIndex(
    (row, index) => !row.every((value, column) => isEqual(value, others[index]![column])),
  );
  if (at < 0) return null;
  return `row ${at + 1} is ${JSON.stringify(own[at])}, not ${JSON.stringify(others[at])}`;
}

const printNames = ({ columns }: Rows) => columns.map(({ name }) => name).join(', ');

function compare({ isOrdered }: ToolStatement, found: Rows, due: Rows, compiled: Compiled, zone: string) {
  const [names, dueNames] = [printNames(found), printNames(due)];
  if (names !== dueNames) return `the columns are ${names}, not ${dueNames}`;
  const [own, others] = [simplifyRows(found), convertRows(due, compiled, zone)];
  return isOrdered ? findDifference(own, others) : findDifference(sortRows(own), sortRows(others));
}

it('are at least 120 statements of eight tools, with different titles', () => {
  expect(STATEMENTS.length).toBeGreaterThanOrEqual(120);
  expect(TOOLS.length).toBe(8);
  for (const { name, statements } of TOOLS) {
    expect(new Set(statements.map(({ title }) => title)).size, name).toBe(statements.length);
  }
});

describe.runIf(isThere).each(['UTC', 'America/New_York'])('statements of tools in %s', (zone) => {
  let parse: ParseStatements;
  let native: ShopDatabase;
  const due = new Map<ToolStatement, Rows>();

  beforeAll(async () => {
    parse = await prepareParser();
    const views = [...createViews(), ...REDSHIFT_FUNCTIONS, `SET TIME ZONE '${zone}'`];
    native = await openSchema('postgresql', [...createToolTables(), ...views]);
    for (const statement of STATEMENTS) due.set(statement, await native.read(toNative(statement.text)));
  });
  afterAll(() => native.close());

  it('return rows, except those that ask for columns alone', () => {
    const empty = STATEMENTS.filter((statement) => due.get(statement)!.rows.length === 0);
    expect(empty.every(({ text }) => text.endsWith('LIMIT 0'))).toBe(true);
  });

  it.each(PLATFORMS)('have the rows of PostgreSQL on %s', { timeout: 300_000 }, async (platform) => {
    const database = await openSchema(platform, createToolTables());
    const compile = createCompiler(parse, platform, zone);
    const outcomes = new Map<ToolStatement, Outcome>();
    for (const statement of STATEMENTS) {
      const compiled = compile(statement.text);
      if (typeof compiled === 'string') {
        outcomes.set(statement, { kind: 'refused', message: compiled });
        continue;
      }
      const found = await database.read(compiled.sql);
      const difference = compare(statement, found, due.get(statement)!, compiled, zone);
      const [warning] = compiled.warnings;
      if (difference === null) outcomes.set(statement, { kind: 'right', message: '' });
      else if (warning === undefined) outcomes.set(statement, { kind: 'wrong', message: difference });
      else outcomes.set(statement, { kind: 'warned', message: warning });
    }
    await database.close();
    const { counts, differences } = listOutcomes(TOOLS, outcomes);
    console.log(counts.join('\n'));
    expect([...outcomes].filter(([, { kind }]) => kind === 'wrong')).toEqual([]);
    await expect(`${[...counts, ...differences].join('\n')}\n`).toMatchFileSnapshot(EXPECTED);
  });
});
