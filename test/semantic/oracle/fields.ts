import type { FieldRef, SemanticFilter } from '../../../src/semantic/query/query.ts';
import { findOwner } from './join-tree.ts';
import { type DimensionDef, findEntity, type MeasureDef, type World } from './world.ts';

export const toFieldKey = (ref: FieldRef) => `${ref.entity}\0${ref.field}`;

/** Finds the dimension or the measure of a reference. */
export function findField(world: World, ref: FieldRef): DimensionDef | MeasureDef {
  const entity = findEntity(world, findOwner(world, ref.entity));
  const found =
    entity.dimensions.find(({ name }) => name === ref.field) ??
    entity.measures.find(({ name }) => name === ref.field);
  if (found === undefined) throw new Error(`no field ${ref.entity}.${ref.field}`);
  return found;
}

export const isMeasure = (field: DimensionDef | MeasureDef): field is MeasureDef => 'aggregation' in field;

/** The fields in conditions. */
export function listFields(filters: readonly SemanticFilter[]): FieldRef[] {
  return filters.flatMap((filter) =>
    filter.type === 'CONDITION' ? [filter.field] : listFields(filter.filters),
  );
}
