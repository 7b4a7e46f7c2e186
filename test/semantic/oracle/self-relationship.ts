import type { AggregationType, JoinType, MeasureType } from '../../../src/semantic/model/model.ts';
import { column } from './expression.ts';
import { createRandom, type Random } from './random.ts';
import { createCondition, createReference, KINDS, type Link } from './random-links.ts';
import { type Row, toKey } from './value.ts';
import type { ColumnDef, Edge, EntityDef, World } from './world.ts';

/** Columns that refer to another row of the same table. */
const SELF_COLUMNS: readonly ColumnDef[] = [
  { name: 'k2', type: 'INTEGER' },
  { name: 'p2', type: 'INTEGER' },
];

/** The rows of a table, each id once, with the columns of a link to rows of the same table. */
function addSelfReferences(rows: readonly Row[], link: Link, random: Random): Row[] {
  const ids = rows.map(({ id }) => toKey(id!));
  const own = rows.filter(({ id }, at) => id === null || ids.indexOf(ids[at]!) === at);
  const used = new Set<number>();
  return own.map((row) => ({ ...row, ...createReference(link, own.length, used, random) }));
}

/** A dimension and a measure that read only the same column. */
function createTwins(random: Random): Pick<EntityDef, 'dimensions' | 'measures'> {
  const [name, type] = random.pick<readonly [string, MeasureType]>([
    ['qty', 'INTEGER'],
    ['amount', 'DECIMAL'],
    ['rate', 'FLOAT'],
  ]);
  const argument = column(name);
  const aggregation = random.pick<AggregationType>(['SUM', 'SUM', 'MAX', 'MIN']);
  const dimension = { name: 'twin', type, expression: argument, grain: null };
  const measure = { name: 'twin of twin', type, aggregation, argumentType: type, argument };
  return {
    dimensions: [{ ...dimension, cutsMoment: false, caseSensitive: false }],
    measures: [{ ...measure, filter: null, custom: null }],
  };
}

/** A self-relationship; its other side has the relationship's name. */
function createSelfEdge(link: Link, entity: string, name: string, random: Random): Edge {
  const fromChild = random.chance(0.7);
  const [child, parent] = fromChild ? [entity, name] : [name, entity];
  const joinType: JoinType = link.one ? 'ONE_TO_ONE' : fromChild ? 'MANY_TO_ONE' : 'ONE_TO_MANY';
  return { name, from: entity, to: entity, joinType, on: createCondition(link, child, parent) };
}

/** Adds a self-relationship to some worlds; everything else is unchanged. */
export function addSelfRelationship(world: World, seed: number): World {
  const random = createRandom(seed + 5_000_000);
  if (!random.chance(0.3)) return world;
  const children = world.edges.map(({ joinType, from, to }) => (joinType === 'ONE_TO_MANY' ? to : from));
  const name = random.chance(0.7) ? random.pick(children) : random.pick(world.entities).name;
  const at = world.entities.findIndex((one) => one.name === name);
  const entity = world.entities[at]!;
  const one = random.chance(0.08);
  const kind = one ? 'simple' : random.pick(KINDS);
  const link: Link = { child: at, parent: at, one, kind, nulls: random.pick([0, 0.1, 0.3]), slot: 2 };
  const columns = [...entity.columns, ...SELF_COLUMNS];
  const rows = addSelfReferences(entity.rows, link, random);
  const edge = createSelfEdge(link, entity.name, `r${world.edges.length}`, random);
  const twins = createTwins(random);
  const dimensions = [...entity.dimensions, ...twins.dimensions];
  const measures = [...entity.measures, ...twins.measures];
  return {
    entities: world.entities.with(at, { ...entity, columns, rows, dimensions, measures }),
    edges: [...world.edges, edge],
  };
}
