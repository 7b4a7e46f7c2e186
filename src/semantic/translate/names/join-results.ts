import { elementAt } from '../../../invariants/must.ts';
import { createPresence } from '../../expression/condition.ts';
import { createCall } from '../../expression/create-expression.ts';
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResultLink,
  TypedExpression,
} from '../../expression/expression.ts';
import type { ResultSelect, ResultStatement } from '../../expression/statement.ts';
import { listExpressionFields, mapExpression } from '../../expression/walk-expression.ts';
import type { DimensionUse } from '../../model/index/field-use.ts';
import type { Edge, IndexedEntity } from '../../model/index/index-model.ts';
import { findToOnePath } from '../../model/index/join-path.ts';
import { createResultEdge, createResultUse } from '../../model/index/result-edge.ts';
import { findRoot } from '../../query/find-root.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { withPlace } from '../messages/with-place.ts';
import type { EntityScope, ScopeView, TranslateEntityJoin } from './entity-scope.ts';
import type { FromResult, SourceSyntax } from './environment.ts';
import type { EntityPlace } from './find-entity.ts';

/** A result in FROM next to entities. */
export interface OpenResult {
  readonly name: string;
  readonly relation: SourceSyntax;
  readonly source: FromResult;
  /** The entity that it is joined with, if that is the only one in the same part of FROM. */
  readonly beside: EntityPlace | null;
}

/** A result whose key columns are known. */
interface Candidate extends OpenResult {
  readonly result: string;
  readonly id: number;
  /** The names of its key columns in the statement. */
  readonly keys: readonly string[];
}

/** A condition of ON, and the key of a result that it names. */
interface KeyCondition {
  readonly syntax: ExpressionSyntax;
  readonly key: string;
  readonly on: TypedExpression<DimensionUse>;
}

/**
 * Adds the results to the scope of entities as views: their columns are to-one fields of the entity that the equalities
 * of ON compare with their keys (docs/reference/semantic-sql-joins.md#keys). `on` are the conditions
 * of all joins. Throws a SemanticSqlError.
 */
export function joinResults(
  entities: EntityScope,
  results: readonly OpenResult[],
  on: readonly ExpressionSyntax[],
  translateOn: TranslateEntityJoin,
): EntityScope {
  const all = results.map((result) => toCandidate(entities, result));
  const start = elementAt(entities.places, 0).start;
  const open = new Set(all);
  const used = new Set<ExpressionSyntax>();
  const joined = new Map<Candidate, ScopeView>();
  const createFinal = (): EntityScope => ({
    ...entities,
    views: [
      ...entities.views,
      ...all.map((candidate) => joined.get(candidate) ?? createView(candidate, start, [])),
    ],
  });
  while (open.size > 0) {
    const scope = createFinal();
    const names = new Set([...open].map(({ result }) => result));
    const ready = [...open].map((candidate) => {
      const left = on.filter((part) => !used.has(part));
      return { candidate, conditions: findKeyConditions(scope, candidate, names, left, translateOn) };
    });
    const next = ready.find(({ candidate, conditions }) =>
      candidate.keys.every((key) => conditions.some((one) => one.key === key)),
    );
    if (next === undefined) throw refuseKeys(elementAt(ready, 0));
    const { candidate, conditions } = next;
    open.delete(candidate);
    for (const { syntax } of conditions) used.add(syntax);
    joined.set(candidate, createView(candidate, findOwner(scope, candidate, conditions), conditions, scope));
  }
  const scope = createFinal();
  const others = on
    .filter((part) => !used.has(part))
    .map((part) => translateCondition(scope, part, translateOn));
  const last = elementAt(scope.views, -1);
  const conditions = [...last.conditions, ...others];
  return { ...scope, views: [...scope.views.slice(0, -1), { ...last, conditions }] };
}

function toCandidate({ whole }: EntityScope, open: OpenResult): Candidate {
  const { statement, table } = open.source;
  const keys = findResultKeys(statement);
  if (keys === null) throw new SemanticSqlError(open.relation, translationTexts.resultRows(open.name));
  const result = `result ${whole.results.size + 1}`;
  whole.results.set(result, { statement, table });
  return {
    ...open,
    result,
    id: -whole.results.size,
    keys: keys.map((at) => elementAt(statement.columns, at).name),
  };
}

function refuseKeys({
  candidate,
  conditions,
}: {
  candidate: Candidate;
  conditions: readonly KeyCondition[];
}): SemanticSqlError {
  const { source, keys, relation, name } = candidate;
  const missing = source.statement.columns.flatMap((column, at) =>
    keys.includes(column.name) && conditions.every(({ key }) => key !== column.name)
      ? [elementAt(source.names, at)]
      : [],
  );
  const { groupedBy } = source;
  const why = groupedBy === null ? '' : translationTexts.groupedResult(name, groupedBy);
  return new SemanticSqlError(relation, translationTexts.resultKeys(name, missing) + why);
}

/** The conditions that compare a key of a result with a value of the entities and of the results that are joined. */
function findKeyConditions(
  scope: EntityScope,
  candidate: Candidate,
  open: ReadonlySet<string>,
  on: readonly ExpressionSyntax[],
  translateOn: TranslateEntityJoin,
): readonly KeyCondition[] {
  const conditions: KeyCondition[] = [];
  for (const syntax of on) {
    const expression = toEquality(translateOn(scope, syntax));
    const [left, right] = expression?.args ?? [];
    if (expression === null || left === undefined || right === undefined) continue;
    const key = findKey(candidate, open, left, right) ?? findKey(candidate, open, right, left);
    if (key === null || conditions.some((other) => other.key === key)) continue;
    conditions.push({ syntax, key, on: expression.on });
  }
  return conditions;
}

interface Equality {
  readonly args: readonly TypedExpression<DimensionUse>[];
  readonly on: TypedExpression<DimensionUse>;
}

/** The sides of `=` and `IS NOT DISTINCT FROM`; null for another condition. */
function toEquality(on: TypedExpression<DimensionUse>): Equality | null {
  if (on.kind !== 'call') return null;
  if (on.name === '=') return { args: on.args, on };
  const [inner] = on.args;
  if (on.name !== 'NOT' || inner?.kind !== 'call' || inner.name !== 'IS DISTINCT FROM') return null;
  const areNull = createCall(
    'AND',
    inner.args.map((arg) => createCall('IS NULL', [arg])),
  );
  return { args: inner.args, on: createCall('OR', [createCall('=', inner.args), areNull]) };
}

/** The key that one side of an equality is, if the other side has one value for each row of the entities. */
function findKey(
  { result, keys }: Candidate,
  open: ReadonlySet<string>,
  side: TypedExpression<DimensionUse>,
  other: TypedExpression<DimensionUse>,
): string | null {
  // The first moments of two days differ.
  const field = side.kind === 'moment' && side.of.dataType === 'DATE' ? side.of : side;
  if (field.kind !== 'field' || findResult(field.field) !== result) return null;
  const isOpen = listExpressionFields(other).some((use) => open.has(findResult(use) ?? ''));
  // Different numbers can be the same FLOAT.
  const isRounded = other.dataType === 'FLOAT' && field.dataType !== 'FLOAT';
  const { name } = field.field.field.dimension;
  return isOpen || isRounded || !keys.includes(name) ? null : name;
}

/** The result that a column belongs to; null for a field of an entity. */
function findResult({ steps }: DimensionUse): string | null {
  return steps.at(-1)?.result ?? null;
}

/** The entity that a result is joined with: it reaches all compared fields over to-one relationships. */
function findOwner(
  { index }: EntityScope,
  { relation, result, name, beside }: Candidate,
  conditions: readonly KeyCondition[],
): IndexedEntity {
  const uses = conditions.flatMap(({ on }) => listExpressionFields(on));
  const outer = uses.filter((use) => findResult(use) !== result);
  if (outer.some(({ steps }) => steps.some(({ toMany }) => toMany))) {
    throw new SemanticSqlError(relation, translationTexts.resultPath(name));
  }
  if (outer.length === 0) throw new SemanticSqlError(relation, translationTexts.resultRow(name));
  const reaches = (from: IndexedEntity) =>
    outer.every(({ start }) => Array.isArray(findToOnePath(index, from, start)));
  if (beside !== null && reaches(beside.start)) return beside.start;
  return withPlace(relation, () => findRoot(index, outer));
}

/** The columns of a result as dimensions of an entity. */
function createView(
  { result, id, name, source }: Candidate,
  from: IndexedEntity,
  conditions: readonly KeyCondition[],
  scope?: EntityScope,
): ScopeView {
  const edge = createResultEdge(from, { result, id, name });
  const columns = source.statement.columns.map((column, at) => ({
    name: elementAt(source.names, at),
    use: createResultUse(edge, column.name, column.dataType),
  }));
  const link: ResultLink = {
    edge,
    on: conditions.map(({ on }) => mapExpression(on, (use) => (scope ? moveUse(scope, use, edge) : use))),
  };
  const [first] = columns;
  const presence = first === undefined ? [] : [createPresence(first.use)];
  return { name, entities: [], columns, conditions: presence, results: [link] };
}

/** The same field, seen from the entity of an edge. */
function moveUse({ index }: EntityScope, use: DimensionUse, edge: Edge): DimensionUse {
  const { start, steps, field, key } = use;
  const { from, result } = edge;
  if (findResult(use) === result)
    return createResultUse(edge, field.dimension.name, field.dimension.dataType);
  if (start === from) return use;
  const path = findToOnePath(index, from, start);
  const all = [...(Array.isArray(path) ? path : []), ...steps];
  const name = key.slice(key.indexOf('|'));
  const ids = all.map(({ id }) => id).join('>');
  return { ...use, start: from, steps: all, key: `${from.entity.name}>${ids}${name}` };
}

function translateCondition(
  scope: EntityScope,
  part: ExpressionSyntax,
  translateOn: TranslateEntityJoin,
): ResolvedFilter<DimensionUse> {
  const expression = translateOn(scope, part);
  if (expression.dataType === 'BOOLEAN') return { kind: 'expression', expression };
  throw new SemanticSqlError(part, translationTexts.onCondition(expression.dataType));
}

/**
 * The columns that identify a row of a result, by their index: no two rows have the same values, with NULL as a value.
 * Empty for at most one row; null if the rows may repeat or if a key is not a column.
 */
function findResultKeys({ columns, body }: ResultStatement): readonly number[] | null {
  switch (body.kind) {
    case 'entities':
      return findGroupKeys(body.query);
    case 'select':
      return findSelectKeys(body) ?? (body.distinct ? [...columns.keys()] : null);
    case 'set':
      return body.by.endsWith('ALL') ? null : [...columns.keys()];
    case 'values':
      return body.rows.length > 1 ? null : [];
  }
}

function findGroupKeys({ keys, items }: ResolvedQuery): readonly number[] | null {
  return findAll(
    keys.map(({ use }, at) =>
      items === null
        ? at
        : items.findIndex(({ value }) => value.kind === 'field' && value.field.key === use.key),
    ),
  );
}

function findSelectKeys({ grouping, from, values }: ResultSelect): readonly number[] | null {
  const findColumn = (name: string) =>
    values.findIndex((value) => value.kind === 'field' && value.field.column === name);
  if (grouping !== null) return findAll(grouping.keys.map(({ name }) => findColumn(name)));
  const [only, ...others] = from;
  if (only === undefined) return [];
  const { statement } = only.relation;
  const keys = others.length > 0 ? null : findResultKeys(statement);
  return keys && findAll(keys.map((key) => findColumn(statement.columns[key]?.name ?? '')));
}

function findAll(indexes: readonly number[]): readonly number[] | null {
  return indexes.includes(-1) ? null : indexes;
}
