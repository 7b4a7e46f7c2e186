import type { SemanticFilter, SemanticQuery } from '../../../src/semantic/query/query.ts';
import { findField, isMeasure, listFields, toFieldKey } from './fields.ts';
import { NoAnswer } from './join-tree.ts';
import type { World } from './world.ts';

/** The operands of AND. */
const listParts = (filter: SemanticFilter): readonly SemanticFilter[] =>
  filter.type === 'AND' ? filter.filters.flatMap(listParts) : [filter];

/**
 * Splits filters into those on rows and those on groups, by whether a part names a measure
 * (docs/reference/semantic-numbers.md#where-filters-apply).
 */
export function splitFilters(world: World, query: SemanticQuery) {
  const selected = new Set(query.dimensions.map(toFieldKey));
  const below: SemanticFilter[] = [];
  const above: SemanticFilter[] = [];
  for (const part of query.filters.flatMap(listParts)) {
    const fields = listFields([part]);
    const dimensions = fields.filter((ref) => !isMeasure(findField(world, ref)));
    if (dimensions.length === fields.length) below.push(part);
    else if (dimensions.every((ref) => selected.has(toFieldKey(ref)))) above.push(part);
    else throw new NoAnswer('refused', 'an OR of measures and of dimensions that are not selected');
  }
  return { below, above };
}
