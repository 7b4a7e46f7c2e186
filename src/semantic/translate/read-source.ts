import { elementAt } from '../../invariants/must.ts';
import { describeTable } from '../describe/describe-table.ts';
import type { FieldUse, MeasureUse } from '../model/index/field-use.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import {
  type ExpressionSyntax,
  type ItemSyntax,
  listSyntaxParts,
  type NameSyntax,
  type QuerySyntax,
  type RelationSyntax,
  type SelectSyntax,
} from '../syntax/syntax.ts';
import { nameField } from './list-items.ts';
import { translationTexts } from './messages/translation-texts.ts';
import type { EntityScope } from './names/entity-scope.ts';
import type { FromItem, FromResult, NameEnvironment, SourceSyntax, View } from './names/environment.ts';
import { findEntity } from './names/find-entity.ts';
import { matchNamed } from './names/match-name.ts';
import { createNameScope, findColumn, findStarred, refuseUnknown } from './names/scope.ts';
import { isAggregate, isMeasureCall } from './values/aggregates.ts';
import { readOwnAggregate } from './values/scale-measure.ts';
import { translateRow, translateWhere } from './values/translate-row.ts';

/** Reads a source in FROM: an entity, a transparent sub-query, or a result. Throws a SemanticSqlError. */
export function readSource(environment: NameEnvironment, relation: SourceSyntax): FromItem {
  const { sources } = environment.whole;
  const known = sources.get(relation);
  if (known !== undefined) return known;
  const source =
    relation.kind === 'table' ? readTable(environment, relation) : readDerived(environment, relation);
  sources.set(relation, source);
  return source;
}

function readTable(
  environment: NameEnvironment,
  { names }: Extract<SourceSyntax, { kind: 'table' }>,
): FromItem {
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) {
    const table = environment.tables.findLast((table) => matchNamed(name, [table]).length > 0);
    if (table !== undefined) return table.source;
  }
  const statement = describeTable(environment, names);
  if (statement !== null) {
    const names = statement.columns.map((column) => column.name);
    return { kind: 'result', statement, names, table: null, groupedBy: null };
  }
  return { kind: 'entity', place: findEntity(environment, names) };
}

function readDerived(
  environment: NameEnvironment,
  relation: Extract<SourceSyntax, { kind: 'derived' }>,
): FromItem {
  const { query, columns } = relation;
  let known: FromResult | undefined;
  const toResult = (): FromResult => {
    if (known !== undefined) return known;
    const statement = environment.translate(environment, query);
    const names = rename(relation, statement.columns, columns).map(({ name }) => name);
    known = { kind: 'result', statement, names, table: null, groupedBy: null };
    return known;
  };
  const select = findTransparent(environment, query);
  if (select === null) return toResult();
  const baseView = createView(environment, select);
  const view = { ...baseView, columns: rename(relation, baseView.columns, columns) };
  const groupedBy = view.columns.flatMap(({ name, use }) => (use.kind === 'dimension' ? [name] : []));
  return { kind: 'view', view, toResult: () => ({ ...toResult(), groupedBy }) };
}

/** Applies the column names of an alias. */
function rename<Column extends { readonly name: string }>(
  relation: SourceSyntax,
  columns: readonly Column[],
  names: readonly NameSyntax[],
): readonly Column[] {
  if (names.length > columns.length) {
    throw new SemanticSqlError(relation, translationTexts.aliasCount(names.length, columns.length));
  }
  return columns.map((column, at) => ({ ...column, name: names[at]?.text ?? column.name }));
}

/** The SELECT of a transparent sub-query, which only selects columns of entities and filters rows; otherwise null. */
function findTransparent(environment: NameEnvironment, query: QuerySyntax): SelectSyntax | null {
  const { body, tables, orderBy, limit, offset } = query;
  if (body.kind !== 'select' || tables.length > 0 || orderBy.length > 0) return null;
  if (limit !== null || offset > 0 || body.isDistinct || body.having !== null) return null;
  if (body.groupBy === 'all' || body.groupBy.length > 0 || body.levels !== null) return null;
  if (body.windows.length > 0) return null;
  const isPlain = body.items.every(({ value }) => value.kind === 'column' || value.kind === 'star');
  if (!isPlain || body.from.length === 0) return null;
  return readsResults(environment, query, body) ? null : body;
}

/**
 * Whether a SELECT reads results, or has no FROM. A sub-query that could be looked through is a result next to another
 * one, and where its measures are needed as values (docs/reference/semantic-sql.md#inlined-sub-queries). Throws a
 * SemanticSqlError.
 */
export function readsResults(
  environment: NameEnvironment,
  query: QuerySyntax,
  select: SelectSyntax,
): boolean {
  const sources = select.from.flatMap(listSources).map((relation) => {
    return { relation, source: environment.readSource(environment, relation) };
  });
  if (sources.length === 0) return true;
  const hasResult = sources.some(({ source }) => source.kind === 'result');
  const hasEntity = sources.some(({ source }) => source.kind === 'entity');
  if (hasEntity && (hasResult || select.from.some(hasCondition))) return false;
  if (hasResult) return true;
  const views = sources.flatMap(({ relation, source }) =>
    source.kind === 'view' ? [{ name: nameRelation(relation), view: source.view }] : [],
  );
  const [only, ...others] = views;
  return others.length > 0 || (only !== undefined && needsValues(query, select, only));
}

/** Whether a part of FROM is a join other than CROSS JOIN. */
function hasCondition(relation: RelationSyntax): boolean {
  if (relation.kind !== 'join') return false;
  return relation.join !== 'cross' || hasCondition(relation.left) || hasCondition(relation.right);
}

function listSources(relation: RelationSyntax): readonly SourceSyntax[] {
  if (relation.kind !== 'join') return [relation];
  return [...listSources(relation.left), ...listSources(relation.right)];
}

function nameRelation(relation: SourceSyntax): string {
  const written = relation.kind === 'table' ? relation.names.at(-1)?.text : undefined;
  return relation.alias?.text ?? written ?? '';
}

interface NamedView {
  readonly name: string;
  readonly view: View;
}

/** Whether WHERE, or an aggregate that is not the measure's own, needs the values of a measure. */
function needsValues(query: QuerySyntax, select: SelectSyntax, view: NamedView): boolean {
  const hasMeasure = (part: ExpressionSyntax): boolean =>
    findMeasureOf(view, part) !== null || listSyntaxParts(part).some(hasMeasure);
  const isOther = (part: ExpressionSyntax): boolean => {
    if (part.kind !== 'call' || !isAggregate(part) || isMeasureCall(part)) {
      return listSyntaxParts(part).some(isOther);
    }
    const aggregate = readOwnAggregate(part, (inner) => findMeasureOf(view, inner));
    return aggregate === null && listSyntaxParts(part).some(hasMeasure);
  };
  const results = [
    ...select.items.map(({ value }) => value),
    ...(select.having === null ? [] : [select.having]),
    ...query.orderBy.map(({ value }) => value),
  ];
  return (select.where !== null && hasMeasure(select.where)) || results.some(isOther);
}

/** The measure that a column of a sub-query is; null for any other expression. */
function findMeasureOf({ name, view }: NamedView, part: ExpressionSyntax): MeasureUse | null {
  if (part.kind !== 'column') return null;
  const column = part.names.at(-1);
  const [qualifier] = part.names;
  if (column === undefined || qualifier === undefined || part.names.length > 2) return null;
  if (part.names.length === 2 && matchNamed(qualifier, [{ name }]).length === 0) return null;
  const [match] = matchNamed(column, view.columns);
  return match?.use.kind === 'measure' ? match.use : null;
}

function createView(environment: NameEnvironment, select: SelectSyntax): View {
  const scope = createNameScope(environment, select.from, (joinScope, on) =>
    translateRow(joinScope, on, 'ON'),
  );
  const where = select.where === null ? [] : translateWhere(scope, select.where);
  return {
    entities: scope.places,
    columns: select.items.flatMap((item) => listColumns(scope, item)),
    conditions: [...scope.views.flatMap(({ conditions }) => conditions), ...where],
    results: scope.views.flatMap(({ results }) => results),
  };
}

function listColumns(scope: EntityScope, { value, alias }: ItemSyntax): View['columns'] {
  if (value.kind === 'column') {
    const use = findColumn(scope, value.names) ?? refuseUnknown(scope, value.names);
    const name = alias?.text ?? nameField(scope, value.names) ?? elementAt(value.names, -1).text;
    return [{ name, use }];
  }
  if (value.kind !== 'star') return [];
  const { entities, views } = findStarred(scope, value);
  return [
    ...entities.flatMap(({ name, place }) => {
      const fields = [...place.owner.dimensions.keys(), ...place.owner.measures.keys()];
      return fields.map((field) => ({ name: field, use: findField(scope, [name, field], value) }));
    }),
    ...views.flatMap(({ columns }) => columns),
  ];
}

function findField(
  scope: EntityScope,
  names: readonly [string, string],
  { start, end }: { readonly start: number; readonly end: number },
): FieldUse {
  const written = names.map((text) => ({ text, isQuoted: true, start, end }));
  return findColumn(scope, written) ?? refuseUnknown(scope, written);
}
