import { trinoRules } from '../../../text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import type { TypedColumn } from '../../contract/column-changes.ts';
import { mayHaveBareNull } from '../../contract/is-repeatable.ts';
import { readTypes } from '../../contract/read-types.ts';
import type { Run } from '../../contract/run-inner.ts';
import { describeQuery } from '../../server/describe-query.ts';

const { quoteName } = SQL_DIALECT.trino;

/** The text before and after a query. */
export type Around = readonly [before: string, after: string];

const PLAIN: Around = ['', ''];
/** A query that declares functions cannot be a part of another query. */
const DECLARES = /^\s*with\s+function\b/i;

/**
 * The text around a query in which columns of bare NULLs are text: tables and views cannot have columns without a type.
 * Rejects like `describeQuery`.
 */
export async function typeNullColumns(run: Run, query: string, signal: AbortSignal): Promise<Around> {
  if (!mayHaveBareNull(query, trinoRules) || DECLARES.test(query)) return PLAIN;
  const columns = await describeQuery(run, query, signal);
  return castToText(columns.map(({ name, type }) => ({ name, isCast: type.kind === 'null' })));
}

/**
 * As `typeNullColumns`, and texts of a limited length become texts of any length: the type of `'a'` is `varchar(1)`, and
 * later rows of a table can have longer texts.
 */
export async function typeTexts(run: Run, query: string, signal: AbortSignal): Promise<Around> {
  if (DECLARES.test(query)) return PLAIN;
  const columns = await describeTypes(run, query, signal);
  return castToText(
    columns.map(({ name, type }) => ({ name, isCast: /^(?:unknown|varchar\(.*)$/.test(type) })),
  );
}

/** The columns of a query with their types, without running it. Rejects like `describeQuery`. */
export async function describeTypes(
  run: Run,
  query: string,
  signal: AbortSignal,
): Promise<readonly TypedColumn[]> {
  const columns = await describeQuery(run, query, signal);
  const types = await readTypes(run, [query, columns.length], signal);
  return columns.map(({ name }, i) => ({ name, type: types[i]! }));
}

function castToText(columns: readonly { readonly name: string; readonly isCast: boolean }[]): Around {
  if (columns.every(({ isCast }) => !isCast)) return PLAIN;
  const selected = columns.map(({ name, isCast }, i) => {
    const column = `quern_${i + 1}`;
    return `${isCast ? `CAST(${column} AS varchar)` : column} AS ${quoteName(name)}`;
  });
  const names = columns.map((_, i) => `quern_${i + 1}`);
  return [`SELECT ${selected.join(', ')} FROM (`, `) AS quern_typed (${names.join(', ')})`];
}
