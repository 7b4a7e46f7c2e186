import { elementAt } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import { createCall, createField } from '../../expression/create-expression.ts';
import type { TypedExpression } from '../../expression/expression.ts';
import type {
  ResultField,
  ResultJoin,
  ResultStatement,
  StatementColumn,
} from '../../expression/statement.ts';
import { Names } from '../../sql/names.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, NameSyntax, RelationSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { withPlace } from '../messages/with-place.ts';
import type { NameEnvironment, SourceSyntax } from './environment.ts';
import { coverNames } from './find-entity.ts';
import { matchNamed, printNames } from './match-name.ts';

/** A column of a result in FROM. */
interface ScopeColumn {
  readonly name: string;
  readonly field: ResultField;
  readonly column: StatementColumn;
  /** Whether a join with USING merged it with another column: `gone` if the other column represents both. */
  readonly merged: 'no' | 'kept' | 'gone';
}

interface ScopeResult {
  /** The qualifier of its columns. */
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
  /** The columns that a plain sub-query is grouped by; null for a sub-query that is always a result. */
  readonly groupedBy: readonly string[] | null;
}

/** The names that a SELECT over results can use. */
export interface ResultScope extends NameEnvironment {
  readonly results: readonly ScopeResult[];
  /** The joins, in order. */
  readonly joins: readonly ResultJoin[];
}

type JoinSyntax = Extract<RelationSyntax, { kind: 'join' }>;

/** Translates the condition of a join. */
type TranslateResultJoin = (scope: ResultScope, on: ExpressionSyntax) => TypedExpression<ResultField>;

/** Creates the scope of the results in FROM. Throws a SemanticSqlError. */
export function createResultScope(
  environment: NameEnvironment,
  from: readonly RelationSyntax[],
  translateOn: TranslateResultJoin,
): ResultScope {
  const names = new Names(environment.dialect);
  let scope: ResultScope = { ...environment, results: [], joins: [] };
  for (const [at, relation] of from.entries()) scope = addRelation(scope, relation, at > 0);
  return scope;

  function addRelation(before: ResultScope, relation: RelationSyntax, isBehindComma: boolean): ResultScope {
    if (relation.kind !== 'join')
      return addJoin(before, createResult(before, relation, names), 'CROSS', null);
    const isOuter = relation.join === 'right' || relation.join === 'full';
    if (isOuter && isBehindComma) {
      throw new SemanticSqlError(relation, translationTexts.joinOrder(relation.join.toUpperCase()));
    }
    const left = addRelation(before, relation.left, isBehindComma);
    if (relation.right.kind === 'join')
      throw new SemanticSqlError(relation.right, translationTexts.nestedJoin());
    return joinResult(left, relation, createResult(left, relation.right, names), translateOn);
  }
}

interface Result extends ScopeResult {
  readonly relation: ResultJoin['relation'];
}

function createResult(scope: ResultScope, relation: SourceSyntax, names: Names): Result {
  const source = scope.readSource(scope, relation);
  if (source.kind === 'entity') throw new SemanticSqlError(relation, translationTexts.mixed());
  const {
    statement,
    table,
    names: columnNames,
    groupedBy,
  } = source.kind === 'view' ? source.toResult() : source;
  const written = relation.kind === 'table' ? elementAt(relation.names, -1).text : '';
  const name = relation.alias?.text ?? written;
  if (name !== '' && scope.results.some((result) => result.name.toLowerCase() === name.toLowerCase())) {
    throw new SemanticSqlError(relation, translationTexts.nameTwice(name));
  }
  const alias = names.create(name === '' ? 'result' : name);
  const columns = listColumns(statement, columnNames, alias);
  return { name, columns, groupedBy, relation: { statement, alias, table } };
}

function listColumns(
  { columns }: ResultStatement,
  names: readonly string[],
  alias: string,
): readonly ScopeColumn[] {
  return columns.map((column, at) => {
    const field = { relation: alias, column: column.name, key: JSON.stringify([alias, column.name]) };
    return { name: elementAt(names, at), field, column, merged: 'no' };
  });
}

const TYPES = { cross: 'CROSS', inner: 'INNER', left: 'LEFT', right: 'RIGHT', full: 'FULL' } as const;

function joinResult(
  left: ResultScope,
  syntax: JoinSyntax,
  right: Result,
  translateOn: TranslateResultJoin,
): ResultScope {
  const type = TYPES[syntax.join];
  if (type === 'CROSS') return addJoin(left, right, type, null);
  if (syntax.using.length > 0) return joinUsing(left, syntax, right);
  const both = addJoin(left, right, type, null);
  const { on } = syntax;
  if (on === null) throw new SemanticSqlError(syntax, translationTexts.onCondition('nothing'));
  // Inside the condition, no side is absent yet.
  const condition = translateOn(addJoin(left, right, 'INNER', null), on);
  if (condition.dataType !== 'BOOLEAN') {
    throw new SemanticSqlError(on, translationTexts.onCondition(condition.dataType));
  }
  return { ...both, joins: [...left.joins, { type, relation: right.relation, on: condition }] };
}

/** Joins by columns with the same names, which are merged. */
function joinUsing(left: ResultScope, { using, join, start, end }: JoinSyntax, right: Result): ResultScope {
  if (join === 'full') throw new SemanticSqlError({ start, end }, translationTexts.fullUsing());
  const parts: TypedExpression<ResultField>[] = [];
  const mergedColumns = new Set<ScopeColumn>();
  const gone = new Set<ScopeColumn>();
  for (const name of using) {
    const mine = findIn(left.results, [name]) ?? refuseColumn(left, [name]);
    const other = findIn([right], [name]) ?? refuseColumn({ ...left, results: [right] }, [name]);
    parts.push(withPlace(name, () => createCall('=', [toField(mine), toField(other)])));
    mergedColumns.add(join === 'right' ? other : mine);
    gone.add(join === 'right' ? mine : other);
  }
  const merge = (result: ScopeResult): ScopeResult => ({
    ...result,
    columns: result.columns.map((column) => ({
      ...column,
      merged: gone.has(column)
        ? ('gone' as const)
        : mergedColumns.has(column)
          ? ('kept' as const)
          : column.merged,
    })),
  });
  const type = TYPES[join];
  const both = addJoin(
    { ...left, results: left.results.map(merge) },
    { ...right, ...merge(right) },
    type,
    null,
  );
  const on = parts.length === 1 ? elementAt(parts, 0) : createCall('AND', parts);
  return { ...both, joins: [...left.joins, { type, relation: right.relation, on }] };
}

/** Rows added by an outer join have NULL in the columns of the other side. */
function addJoin(
  left: ResultScope,
  { name, columns, groupedBy, relation }: Result,
  type: ResultJoin['type'],
  on: ResultJoin['on'],
): ResultScope {
  const absent = (result: ScopeResult): ScopeResult => ({
    ...result,
    columns: result.columns.map((field) => ({ ...field, column: { ...field.column, nullable: true } })),
  });
  const isLeftAbsent = type === 'RIGHT' || type === 'FULL';
  const isRightAbsent = type === 'LEFT' || type === 'FULL';
  const result = { name, columns, groupedBy };
  return {
    ...left,
    results: [
      ...(isLeftAbsent ? left.results.map(absent) : left.results),
      isRightAbsent ? absent(result) : result,
    ],
    joins: [...left.joins, { type, relation, on }],
  };
}

function toField({ field, column }: ScopeColumn): TypedExpression<ResultField> {
  return createField(field, column.dataType, column.nullable);
}

/** Reads a column of a result. Throws a SemanticSqlError for an unknown column. */
export function readResultColumn(
  scope: ResultScope,
  names: readonly NameSyntax[],
): TypedExpression<ResultField> {
  return toField(findIn(scope.results, names) ?? refuseColumn(scope, names));
}

/** The result column of a field. */
export function findResultColumn(scope: ResultScope, { key }: ResultField): StatementColumn | undefined {
  return scope.results.flatMap(({ columns }) => columns).find(({ field }) => field.key === key)?.column;
}

/** Whether names refer to a column of FROM. */
export function isInResults(scope: ResultScope, names: readonly NameSyntax[]): boolean {
  const [first, ...others] = names;
  if (first === undefined) return false;
  const matches =
    others.length > 0
      ? matchNamed(first, scope.results)
      : scope.results.flatMap(({ columns }) => matchNamed<ScopeColumn>(first, columns));
  return matches.length > 0;
}

/** The columns that a star expands to, as names. Throws a SemanticSqlError. */
export function listStarredColumns(
  scope: ResultScope,
  { names }: { readonly names: readonly NameSyntax[] },
): readonly (readonly string[])[] {
  if (names.length === 0) {
    const all = scope.results.flatMap((result) => result.columns.map((column) => ({ result, column })));
    const mergedColumns = all.filter(({ column }) => column.merged === 'kept');
    const others = all.filter(({ column }) => column.merged === 'no');
    return [...mergedColumns, ...others].map(({ result, column }) =>
      result.name === '' ? [column.name] : [result.name, column.name],
    );
  }
  const [result] = matchNamed(elementAt(names, 0), scope.results);
  if (result === undefined || names.length > 1) return refuseColumn(scope, names);
  return result.columns.map(({ name }) => [result.name, name]);
}

function findIn(results: readonly ScopeResult[], names: readonly NameSyntax[]): ScopeColumn | null {
  const name = elementAt(names, -1);
  const [qualifier, ...others] = names.slice(0, -1);
  if (others.length > 0) return null;
  const candidates = qualifier === undefined ? results : matchNamed(qualifier, results);
  const columns = candidates.flatMap((result) => {
    const columns = result.columns.filter((column) => qualifier !== undefined || column.merged !== 'gone');
    return matchNamed(name, columns).map((column) => ({
      qualified: `${result.name}.${column.name}`,
      column,
    }));
  });
  if (columns.length > 1) {
    const all = columns.map(({ qualified }) => qualified);
    throw new SemanticSqlError(name, translationTexts.ambiguousColumn(name.text, all));
  }
  return columns[0]?.column ?? null;
}

/** Why a plain sub-query has no other columns and no measures: it is a result. Empty for other results. */
export function explainGroups({ results }: ResultScope, names: readonly NameSyntax[]): string {
  const [qualifier] = names.slice(0, -1);
  const named = qualifier === undefined ? results : matchNamed(qualifier, results);
  const [only, ...others] = named.filter(({ groupedBy }) => groupedBy !== null);
  if (only?.groupedBy == null || others.length > 0) return '';
  return translationTexts.groupedResult(only.name, only.groupedBy);
}

/** Throws the error for an unknown column, with a suggestion. */
function refuseColumn(scope: ResultScope, names: readonly NameSyntax[]): never {
  const name = elementAt(names, -1);
  if (scope.isOutside(names)) {
    throw new SemanticSqlError(coverNames(names), translationTexts.correlated(printNames(names)));
  }
  const near = suggest(
    name.text,
    scope.results.flatMap(({ columns }) => columns.map((column) => column.name)),
  );
  const isText = name.isQuoted && near === undefined && names.length === 1;
  const message = isText
    ? translationTexts.unknownQuoted(name.text)
    : translationTexts.unknownColumn(printNames(names), near) +
      (near === undefined ? explainGroups(scope, names) : '');
  throw new SemanticSqlError(coverNames(names), message);
}
