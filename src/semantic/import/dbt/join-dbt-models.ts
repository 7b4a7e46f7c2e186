import { elementAt, notNull, present } from '../../../invariants/must.ts';
import type { JoinType } from '../../model/model.ts';
import { toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { isColumn, qualifySql, quoteQualifier } from '../draft/foreign-sql.ts';
import type { DbtDimension, DbtKey, DbtModel, DbtScope, LostDbtModel } from './dbt-scope.ts';
import { cutDate } from './dbt-sql.ts';

type JoinedModel = DbtModel | LostDbtModel;

/** A key that two models share. */
interface Join {
  readonly from: JoinedModel;
  readonly sourceKey: DbtKey;
  readonly other: DbtKey;
  readonly to: JoinedModel;
}

/** Adds the relationships that dbt would join by: an entity of one model identifies the rows of another. */
export function joinDbtModels(scope: DbtScope): void {
  const models: readonly JoinedModel[] = [...scope.models, ...scope.lostModels];
  for (const from of models) {
    const joins = listJoins(from, models);
    for (const join of joins) addJoin(join, joins, scope);
  }
}

function listJoins(from: JoinedModel, models: readonly JoinedModel[]): readonly Join[] {
  return from.keys.flatMap((sourceKey) =>
    models.flatMap((to, at): readonly Join[] => {
      if (to === from) return [];
      const other = to.keys.find(({ name, type }) => name === sourceKey.name && type !== 'foreign');
      if (other === undefined) return [];
      const join = { from, sourceKey, other, to };
      if (sourceKey.type === 'foreign' || sourceKey.type === 'natural') return [join];
      // One direction is enough.
      return at > models.indexOf(from) || other.type === 'natural' ? [join] : [];
    }),
  );
}

/** The join of two models, or the reason why there is no join. */
type JoinReading = { readonly from: DbtModel; readonly to: DbtModel } & JoinParts;

interface JoinParts {
  readonly joinType: JoinType;
  readonly expr: string;
  /** Partitions that are compared unchanged although dbt would compare their days. */
  readonly asIs: readonly string[];
}

function addJoin(join: Join, all: readonly Join[], scope: DbtScope): void {
  const { from, sourceKey, to } = join;
  const { draft } = scope;
  const origin = { ...sourceKey.origin, subject: `the join of ${from.name} with ${to.name}` };
  const { losses, span, subject } = origin;
  const read = readJoin(join, scope);
  if (typeof read === 'string') {
    losses.drop(span, subject, read);
    const [one, other] = [from, to].map((model) => ('entity' in model ? model.entity : model.name));
    draft.lostJoins.push({
      from: present(one),
      to: present(other),
      joinType: findLostType(join),
      reason: `${subject}: ${read}`,
    });
    return;
  }
  const isAlone = all.filter((join) => join.sourceKey === sourceKey).length === 1;
  const relationship = {
    name: toName(isAlone ? sourceKey.name : `${sourceKey.name}_${read.to.entity.name}`, origin),
    join_type: read.joinType,
    to_entity: read.to.entity.name,
    expr: read.expr,
  };
  read.from.entity.relationships.push(relationship);
  draft.origins.set(relationship, origin);
  for (const name of read.asIs) losses.approximate(span, subject, importMessages.partitionAsIs(name));
}

function findLostType({ sourceKey, other }: Join): JoinType | null {
  if (sourceKey.type === 'foreign') return 'MANY_TO_ONE';
  // The cardinality of natural keys is unknown.
  return sourceKey.type === 'natural' || other.type === 'natural' ? null : 'ONE_TO_ONE';
}

function readJoin({ from, sourceKey, other, to }: Join, scope: DbtScope): JoinReading | string {
  if (!('entity' in from)) return importMessages.lostEntity(from.name);
  if (!('entity' in to)) return importMessages.lostEntity(to.name);
  const error = sourceKey.error ?? other.error;
  if (error !== null) return error;
  const shared = [...from.partitions.keys()].filter((name) => to.partitions.has(name));
  const [isOne, isOther] = [isUnique(from, sourceKey, shared), isUnique(to, other, shared)];
  if (!isOne && !isOther) {
    const name = [...to.partitions.keys()].find((column) => !shared.includes(column)) ?? '';
    return importMessages.noPartition(to.name, name, from.name);
  }
  const sides = [
    { model: from, key: sourceKey },
    { model: to, key: other },
  ].map(({ model, key }) => qualify(key.expr, model, scope.lexicalRules) ?? { unclear: key.expr });
  const unclear = sides.find((side) => typeof side !== 'string');
  if (unclear !== undefined) return importMessages.uncertain(unclear.unclear);
  const partitions = shared.map((name) => comparePartitions(name, from, to, scope));
  const lost = partitions.indexOf(null);
  if (lost !== -1) return importMessages.lostMember(elementAt(shared, lost));
  return {
    from,
    to,
    joinType: !isOne ? 'MANY_TO_ONE' : isOther ? 'ONE_TO_ONE' : 'ONE_TO_MANY',
    expr: [sides.join(' = '), ...partitions.map((partition) => notNull(partition).expr)].join(' AND '),
    asIs: shared.filter((_, at) => notNull(elementAt(partitions, at)).isAsIs),
  };
}

/** Whether a key identifies rows, together with the compared partitions. */
function isUnique({ partitions }: DbtModel, { type }: DbtKey, shared: readonly string[]): boolean {
  return type !== 'foreign' && [...partitions.keys()].every((name) => shared.includes(name));
}

/** The equality of a partition in two models; null if the partition was left out or its columns are not certain. */
function comparePartitions(name: string, from: DbtModel, to: DbtModel, { lexicalRules, platform }: DbtScope) {
  const dimensions = [from, to].map(({ partitions }) => partitions.get(name) ?? null);
  const isAsIs = dimensions.every((dimension) => dimension !== null && isWholeDay(dimension, lexicalRules));
  const sides = [from, to].map((model, at) => {
    const dimension = elementAt(dimensions, at);
    if (dimension === null) return null;
    const { column, expr, grain } = dimension;
    if (grain === null) return qualify(expr, model, lexicalRules);
    const qualified = qualify(column, model, lexicalRules);
    return isAsIs || qualified === null ? qualified : cutDate(qualified, grain, platform);
  });
  const isCut = dimensions.some((dimension) => dimension?.expr !== dimension?.column);
  return sides.includes(null) ? null : { expr: sides.join(' = '), isAsIs: isAsIs && isCut };
}

/** Partitions are usually days. Bare columns can be found by an index, so they are not truncated. */
function isWholeDay(
  { isTime, grain, column }: DbtDimension,
  lexicalRules: DbtScope['lexicalRules'],
): boolean {
  return (!isTime || grain === 'day') && isColumn(column, lexicalRules);
}

function qualify(expr: string, { entity }: DbtModel, lexicalRules: DbtScope['lexicalRules']): string | null {
  if (isColumn(expr, lexicalRules)) return `${quoteQualifier(entity.name, lexicalRules)}.${expr.trim()}`;
  return qualifySql(expr, entity.name, lexicalRules);
}
