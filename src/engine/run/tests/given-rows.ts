import { elementAt } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import { type Connection, DatabaseError } from '../../connection/contract/connection.ts';
import { evaluateMeta } from '../../script/evaluate/evaluate.ts';
import { listCalls } from '../../script/graph/list-calls.ts';
import {
  type BlockDefinition,
  createScriptError,
  type Definition,
  describeDefinition,
} from '../../script/program/program.ts';
import { findEntry } from '../../script/syntax/find-entry.ts';
import { printHint } from '../../script/values/resolve.ts';
import type { RunContext } from '../../script/values/scope.ts';
import { isBlock, printLiteral } from '../../script/values/stdlib.ts';
import {
  describeValue,
  isList,
  isMap,
  type MapValue,
  toText,
  type Value,
} from '../../script/values/value.ts';
import type { DiagnosticError } from '../../text/diagnostic.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import { compareRows, printRow, readTable, type Table } from './compare-rows.ts';

/** Rows of one INSERT. */
const BATCH = 500;
/** Maximum given rows of a block. */
const MAX_GIVEN = 10_000;

interface GivenBlock {
  readonly block: BlockDefinition;
  readonly rows: readonly MapValue[];
  readonly types: MapValue | null;
}

interface GivenOptions {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly signal: AbortSignal;
}

/** The rows that a test gives for blocks (docs/reference/given-rows.md). Throws a DiagnosticError. */
export function readGiven(test: BlockDefinition, context: RunContext): readonly GivenBlock[] {
  const value = evaluateMeta(test, 'given', context) ?? null;
  const reached = listReached(test, context);
  const given = new Set<Definition['declaration']>();
  return (isList(value) ? value : []).map((entry) => {
    const { entries } = expectMap(entry, test);
    const block = entries.get('block') ?? null;
    if (!isBlock(block)) {
      throw createGivenError(test, `\`:block\` must be the name of a block, not ${describeValue(block)}`);
    }
    const what = describeDefinition(block);
    if (!reached.has(block.declaration)) {
      throw createGivenError(test, `this test does not reach ${what}, directly or through other blocks`);
    }
    if (given.has(block.declaration)) throw createGivenError(test, `the rows of ${what} are given twice`);
    given.add(block.declaration);
    const rows = listRows(entries.get('rows') ?? null, test);
    if (rows.length > MAX_GIVEN)
      throw createGivenError(test, `at most ${MAX_GIVEN} rows can be given for ${what}`);
    const types = entries.get('types') ?? null;
    return { block, rows, types: isMap(types) ? types : null };
  });
}

/** The expected rows of a test; null without `:expect`. Throws a DiagnosticError. */
export function readExpected(test: BlockDefinition, context: RunContext): readonly MapValue[] | null {
  const value = evaluateMeta(test, 'expect', context);
  return value === undefined ? null : listRows(value, test);
}

function listRows(value: Value, test: BlockDefinition): readonly MapValue[] {
  return (isList(value) ? value : []).map((row) => expectMap(row, test));
}

function expectMap(value: Value, test: BlockDefinition): MapValue {
  if (isMap(value)) return value;
  throw createGivenError(test, 'a row must be a map, such as { :id 1 }');
}

/** The declarations that the body of a test reaches. */
function listReached(test: BlockDefinition, { program }: RunContext): ReadonlySet<Definition['declaration']> {
  const seen = new Set<Definition['declaration']>();
  const waiting: Definition[] = [test];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { definition } of listCalls(program, next)) {
      if (seen.has(definition.declaration)) continue;
      seen.add(definition.declaration);
      waiting.push(definition);
    }
  }
  return seen;
}

/**
 * Stores given rows in a relation with the columns of their block, and resolves with its name in statements. Rejects
 * with a DiagnosticError for an unknown column and for a value that the column would change.
 */
export async function storeGiven(
  test: BlockDefinition,
  { block, rows, types }: GivenBlock,
  runner: BlockRunner,
  { connection, context, signal }: GivenOptions,
): Promise<string> {
  const { dialect } = context;
  const name =
    types === null
      ? await runner.storeEmpty(block)
      : await runner.storeTyped(block, printTypes(types, context));
  const place = connection.relations.scratch?.print(name) ?? name;
  const read = async () => readTable(await connection.run(`SELECT * FROM ${place}`, signal));
  const { columns } = await read();
  const given = [...new Set(rows.flatMap((row) => [...row.entries.keys()]))];
  const used = given.map((key) => columns.find((column) => isSameName(column.name, key)) ?? null);
  const unknown = given.find((_, at) => used[at] === null);
  if (unknown !== undefined) {
    const near = printHint(
      suggest(
        unknown,
        columns.map((column) => column.name),
      ),
    );
    throw createGivenError(test, `${describeDefinition(block)} has no column \`${unknown}\`${near}`);
  }
  if (rows.length === 0) return name;
  const casts = await findCasts(connection, place, signal);
  const names = used.map((column) => dialect.quoteName(column?.name ?? ''));
  // A row without columns still is a row.
  const listed = names.length > 0 ? names : [dialect.quoteName(elementAt(columns, 0).name)];
  for (let at = 0; at < rows.length; at += BATCH) {
    const values = rows.slice(at, at + BATCH).map((row) => {
      const texts = given.map((key, i) => {
        const value = row.entries.get(key) ?? null;
        if (isMap(value)) throw createGivenError(test, describeMapValue(key));
        const literal = printGiven(value, dialect);
        const cast = casts?.get((used[i]?.name ?? '').toLowerCase());
        return cast === undefined ? literal : `CAST(${literal} AS ${cast})`;
      });
      return `(${(texts.length > 0 ? texts : ['NULL']).join(', ')})`;
    });
    const insert = `INSERT INTO ${place} (${listed.join(', ')}) VALUES ${values.join(', ')}`;
    await connection.run(insert, signal).catch((error: unknown) => {
      throw isRefused(error) ? createGivenError(test, describeRefused(block, error)) : error;
    });
  }
  const change = findChange(await read(), rows, given);
  if (change === null) return name;
  const message = `the columns of ${describeDefinition(block)} cannot hold these given values as they are: ${change}`;
  throw createGivenError(test, message);
}

/** The given values that the database has changed in one row, for a message; null without a change. */
function findChange(stored: Table, rows: readonly MapValue[], keys: readonly string[]): string | null {
  const { missing, surplus } = compareRows(stored, rows, keys);
  const [change] = missing;
  if (change === undefined) return null;
  const places = surplus.map((row) => [...keys.keys()].filter((at) => row[at] !== change[at]));
  const [fewest = [...keys.keys()]] = places.sort((left, right) => left.length - right.length);
  return printRow(
    fewest.map((at) => change[at] ?? null),
    fewest.map((at) => elementAt(keys, at)),
  );
}

/**
 * A value as a text that the database converts to the type of its column: rows of literals with several types for one
 * column are an error on some databases. MySQL has no texts for booleans.
 */
function printGiven(value: Value, dialect: SqlDialect): string {
  if (value === null || (typeof value === 'boolean' && dialect.name === 'mysql'))
    return printLiteral(value, dialect);
  if (isList(value)) return printList(value, dialect);
  return dialect.quoteText(toText(value) ?? '');
}

/** The brackets of a list as a text, where they are not those of JSON. */
const ARRAYS: Readonly<Record<string, readonly [string, string]>> = { postgresql: ['{', '}'] };

/** A list as a text that the database converts: JSON, or a similar text. */
function printList(list: readonly Value[], dialect: SqlDialect): string {
  const [open, close] = ARRAYS[dialect.name] ?? ['[', ']'];
  const print = (value: Value): string => {
    if (value === null) return 'null';
    if (isList(value)) return `${open}${value.map(print).join(', ')}${close}`;
    return typeof value === 'string' ? JSON.stringify(value) : (toText(value) ?? 'null');
  };
  const text = dialect.quoteText(print(list));
  return dialect.name === 'trino' ? `JSON ${text}` : text;
}

function describeMapValue(column: string): string {
  return `the value of \`:${column}\` is a map, which cannot be given`;
}

/** Whether the database has refused a statement for its text. */
function isRefused(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === 'sql';
}

function describeRefused(block: BlockDefinition, { message }: DatabaseError): string {
  return `the columns of ${describeDefinition(block)} cannot hold the given values: ${message}`;
}

/** The types of columns on a database that converts nothing itself; null on others. */
async function findCasts(
  connection: Connection,
  place: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | null> {
  if (connection.relations.scratch === null) return null;
  const { rows } = await readTable(await connection.run(`DESCRIBE ${place}`, signal));
  return new Map(rows.map(([column, type]) => [String(column).toLowerCase(), String(type)]));
}

/** A query without rows that has columns of these types. */
function printTypes({ entries }: MapValue, { dialect }: RunContext): string {
  const columns = [...entries].map(
    ([name, type]) => `CAST(NULL AS ${String(type)}) AS ${dialect.quoteName(name)}`,
  );
  return `SELECT ${columns.join(', ')}`;
}

/** Compares the rows of a test with the expected ones; each difference is a row of the sample. */
export function findDifferences(
  test: BlockDefinition,
  actual: Table,
  expected: readonly MapValue[],
): { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | null)[])[] } {
  const keys = [...(expected[0]?.entries.keys() ?? actual.columns.map(({ name }) => name))];
  const unknown = keys.find((key) => !actual.columns.some(({ name }) => isSameName(name, key)));
  if (unknown !== undefined) {
    const near = printHint(
      suggest(
        unknown,
        actual.columns.map(({ name }) => name),
      ),
    );
    throw createGivenError(test, `the rows of this test have no column \`${unknown}\`${near}`, 'expect');
  }
  const { missing, surplus } = compareRows(actual, expected, keys);
  const print = (difference: string) => (row: readonly (string | null)[]) => [difference, ...row];
  return {
    columns: ['difference', ...keys],
    rows: [...missing.map(print('missing')), ...surplus.map(print('surplus'))],
  };
}

/** Databases print names in their own case. */
function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function createGivenError(test: BlockDefinition, message: string, key = 'given'): DiagnosticError {
  const { declaration, file } = test;
  return createScriptError(file.file, findEntry(declaration.meta, key) ?? declaration, message);
}
