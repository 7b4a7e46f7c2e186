import { elementAt } from '../../invariants/must.ts';
import { createField, createLiteral, createNull } from '../expression/create-expression.ts';
import type { FieldExpression, TypedExpression } from '../expression/expression.ts';
import {
  GROUP_RELATION,
  type ResultField,
  type ResultSelect,
  type ResultStatement,
  type StatementColumn,
} from '../expression/statement.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { CallSyntax, ExpressionSyntax } from '../syntax/syntax.ts';
import { translationTexts } from './messages/translation-texts.ts';

/** The names of the keys of each level of ROLLUP, CUBE or GROUPING SETS. */
export type Levels = readonly ReadonlySet<string>[];

/** The keys of levels that are written as indexes; null stands for a part of GROUP BY that is not a key. */
export function findLevels(levels: readonly (readonly number[])[], keys: readonly (string | null)[]): Levels {
  return levels.map((level) => new Set(level.flatMap((at) => elementAt(keys, at) ?? [])));
}

/** A column of levels: a key, which is NULL in the levels without it, a measure or aggregate, or GROUPING. */
export interface LevelColumn extends Omit<StatementColumn, 'nullable' | 'isNull'> {
  /** Null for a measure or aggregate, which every level has. */
  readonly kind: 'key' | 'measure' | { readonly grouping: readonly string[] };
  /** The name of the key or measure. */
  readonly key: string;
}

/** The value of a column in a level; null for the key or measure itself. */
export function findLevelValue(
  { kind, key, dataType }: LevelColumn,
  level: ReadonlySet<string>,
): TypedExpression<never> | null {
  if (kind === 'measure') return null;
  if (kind === 'key') return level.has(key) ? null : createNull(dataType);
  const bits = kind.grouping.map((name) => (level.has(name) ? '0' : '1')).join('');
  return createLiteral(
    { kind: 'literal', type: 'number', text: `${Number.parseInt(`0${bits}`, 2)}` },
    'INTEGER',
  );
}

/** PostgreSQL's limit: the result is an INTEGER with one bit for each key. */
const MAX_KEYS = 31;

/** The keys that GROUPING names; `findKey` returns null for another expression. Throws a SemanticSqlError. */
export function readGrouping(
  { args, ...span }: CallSyntax,
  findKey: (arg: ExpressionSyntax) => string | null,
): readonly string[] {
  if (args.length > MAX_KEYS) throw new SemanticSqlError(span, translationTexts.groupingKeys(MAX_KEYS));
  return args.map((arg) => {
    const key = findKey(arg);
    if (key === null) throw new SemanticSqlError(arg, translationTexts.groupingKey());
    return key;
  });
}

/**
 * Selects from the union of levels, as a relation called `GROUP_RELATION` (docs/reference/semantic-sql-subtotals.md).
 */
export function selectLevels(
  levels: Levels,
  columns: readonly LevelColumn[],
  createBody: (level: ReadonlySet<string>) => ResultStatement['body'],
  select: Omit<ResultSelect, 'kind' | 'from' | 'grouping'>,
): ResultSelect {
  const sides = levels.map((level): ResultStatement => {
    const isAbsent = ({ kind, key }: LevelColumn) => kind === 'key' && !level.has(key);
    return {
      columns: columns.map((column) => ({ ...column, nullable: true, isNull: isAbsent(column) })),
      body: createBody(level),
    };
  });
  const union = sides.reduce((left, right): ResultStatement => {
    return { columns: left.columns, body: { kind: 'set', by: 'UNION ALL', left, right } };
  });
  const relation = { statement: union, alias: GROUP_RELATION, table: null };
  return { kind: 'select', from: [{ type: 'CROSS', relation, on: null }], grouping: null, ...select };
}

/** A column of groups: a key, an aggregate, or GROUPING. */
export function createGroupField(
  name: string,
  { dataType, nullable }: Pick<TypedExpression<never>, 'dataType' | 'nullable'>,
): FieldExpression<ResultField> {
  const field = { relation: GROUP_RELATION, column: name, key: JSON.stringify([GROUP_RELATION, name]) };
  return createField(field, dataType, nullable);
}
