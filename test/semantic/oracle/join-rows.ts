import type { FieldRef } from '../../../src/semantic/query/query.ts';
import { cutDay } from './cut-day.ts';
import { evaluate, isTrue } from './expression.ts';
import { findField } from './fields.ts';
import { type JoinTree, NoAnswer, type Place } from './join-tree.ts';
import { type Row, toDay, type Value } from './value.ts';
import { type DimensionDef, type EntityDef, findEntity, type World } from './world.ts';

/** A row of an entity by its index; the row is null if the join found none. */
interface Found {
  readonly at: number;
  readonly row: Row | null;
}

/** The row of each place. */
export type Joined = ReadonlyMap<string, Found>;

/** Reads a dimension in a joined row: NULL in a row that was not found, whatever its expression. */
export type Dims = (joined: Joined, ref: FieldRef) => Value;

/** The maximum number of joined rows to examine. */
const MAX_COUNT = 20_000;

/** The rows of an entity's source. */
function listRows({ rows, where }: EntityDef): readonly Row[] {
  return where === null ? rows : rows.filter((row) => isTrue(where, (name) => row[name]!));
}

const NOTHING: readonly Found[] = [{ at: -1, row: null }];

/** Finds the rows of a place that match a row of its parent; a missing parent row is all NULL. */
function createMatcher(place: Place, parentEntity: string, rows: readonly Row[]) {
  const { on } = place.step!.edge;
  const known = new Map<number, readonly Found[]>();
  return (parent: Found): readonly Found[] => {
    let matches = known.get(parent.at);
    if (matches === undefined) {
      const found = rows
        .map((row, at) => ({ at, row }))
        .filter(({ row }) =>
          isTrue(on, (name, entity) => (entity === parentEntity ? parent.row?.[name] : row[name]) ?? null),
        );
      matches = found.length === 0 ? NOTHING : found;
      known.set(parent.at, matches);
    }
    return matches;
  };
}

/** The value of a dimension in a row of its entity. */
export function readDimension(dimension: DimensionDef, row: Row): Value {
  const value = evaluate(dimension.expression, (name) => row[name]!);
  if (dimension.grain === null || value === null) return value;
  const day = typeof value === 'bigint' && dimension.cutsMoment ? toDay(value) : value;
  return cutDay(day as bigint, dimension.grain);
}

/** The rows of left joins along a tree, by nested loops. */
export function* joinRows(world: World, tree: JoinTree): Generator<{ joined: Joined; dims: Dims }> {
  const entityOf = new Map(tree.places.map(({ id, entity }) => [id, entity]));
  const rowsOf = new Map(tree.places.map(({ id, entity }) => [id, listRows(findEntity(world, entity))]));
  const fields = new Map<FieldRef, DimensionDef>();
  const dims: Dims = (joined, ref) => {
    let field = fields.get(ref);
    if (field === undefined) {
      field = findField(world, ref) as DimensionDef;
      fields.set(ref, field);
    }
    const { row } = joined.get(tree.placeOf.get(ref.entity)!)!;
    return row === null ? null : readDimension(field, row);
  };
  let all: Map<string, Found>[] = rowsOf.get('')!.map((row, at) => new Map([['', { at, row }]]));
  for (const place of tree.places.slice(1)) {
    const match = createMatcher(place, entityOf.get(place.parent!)!, rowsOf.get(place.id)!);
    const next: Map<string, Found>[] = [];
    for (const joined of all) {
      for (const found of match(joined.get(place.parent!)!))
        next.push(new Map([...joined, [place.id, found]]));
    }
    if (next.length > MAX_COUNT) throw new NoAnswer('unspecified', 'too many joined rows');
    all = next;
  }
  for (const joined of all) yield { joined, dims };
}
