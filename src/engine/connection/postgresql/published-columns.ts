import type { ColumnsToFit, TypedColumn } from '../contract/check-columns.ts';
import { DatabaseError, type PublishedName } from '../contract/connection.ts';
import { isLossless, type TypeRules } from '../contract/lossless.ts';
import type { Statements } from '../server/publishing-platform.ts';
import type { FieldDescription } from './messages.ts';
import { printId } from './publishing-sql.ts';

const RULES: TypeRules = { untyped: 'unknown', timeDigits: 6, refusesRows: true };
/** A type into which a bare NULL can be converted, but hardly any text. */
const RARE = 'pg_catalog.macaddr';

/** The columns of a table and those of a query; `readFields` returns the columns of the last statement. */
export async function describeColumns(
  statements: Statements,
  readFields: () => readonly FieldDescription[],
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<Omit<ColumnsToFit, 'table'>> {
  const { describe, select } = statements;
  await describe(query, signal);
  const fields = readFields();
  const types = fields.length === 0 ? [] : await select(printTypes(fields), signal);
  const added = fields.map(({ name }, i) => ({ name, type: types[i]![0]! }));
  const stored = (await select(printStored(target), signal)).map(([name, type, isFilled]) => ({
    name: name!,
    type: type!,
    isFilled: isFilled === 'true',
  }));
  const fold = (name: string) => name;
  const columns = { stored, rules: RULES, fold };
  const checked: TypedColumn[] = [];
  for (const [i, column] of added.entries()) {
    const other = stored.find(({ name }) => name === column.name);
    // The server describes a bare NULL as text.
    const mayBeNull =
      column.type === 'text' && other !== undefined && !isLossless(column.type, other.type, RULES);
    const isNull = mayBeNull && (await isBareNull(statements, [query, added, i], signal));
    checked.push(isNull ? { ...column, type: RULES.untyped } : column);
  }
  return { ...columns, added: checked };
}

function printTypes(fields: readonly FieldDescription[]): string {
  const rows = fields.map(({ type, modifier }, i) => `(${i}, ${type}::oid, ${modifier})`).join(', ');
  return `SELECT pg_catalog.format_type(type, modifier) FROM (VALUES ${rows}) AS field (at, type, modifier) ORDER BY at`;
}

/** Columns with their type, which is that of the values of a domain, and whether the server gives them values. */
function printStored(target: PublishedName): string {
  return `WITH RECURSIVE stored (at, name, type, modifier, filled) AS (
      SELECT attnum, attname, atttypid, atttypmod, attidentity <> '' OR attgenerated <> ''
      FROM pg_catalog.pg_attribute WHERE attrelid = ${printId(target)} AND attnum > 0 AND NOT attisdropped
    UNION ALL
      SELECT at, name, typbasetype, typtypmod, filled
      FROM stored JOIN pg_catalog.pg_type ON pg_type.oid = type WHERE typtype = 'd')
    SELECT name::text, pg_catalog.format_type(type, modifier), filled::text
    FROM stored JOIN pg_catalog.pg_type ON pg_type.oid = type WHERE typtype <> 'd' ORDER BY at`;
}

/** Whether a column of a query is a bare NULL: in a UNION, it gets the type of the other query. */
async function isBareNull(
  { around, run }: Statements,
  [query, columns, at]: readonly [query: string, columns: readonly TypedColumn[], at: number],
  signal: AbortSignal,
): Promise<boolean> {
  const nulls = columns.map(({ type }, i) => `NULL::${i === at ? RARE : type}`).join(', ');
  await run('SAVEPOINT quern_null', signal);
  try {
    await around(['SELECT FROM ((', query, `) UNION ALL SELECT ${nulls}) AS quern_query LIMIT 0`], signal);
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    await run('ROLLBACK TO SAVEPOINT quern_null', signal);
    return false;
  }
}
