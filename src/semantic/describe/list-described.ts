import { entryOf } from '../../invariants/must.ts';
import { SemanticError } from '../errors.ts';
import type { AskedModel, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findToOnePath } from '../model/index/join-path.ts';
import type { DataType } from '../model/model.ts';

/** A field as a column of an entity in Semantic SQL. */
export interface DescribedField {
  readonly layer: string;
  readonly domain: string;
  readonly entity: string;
  /** The name of the field; for a field of a related entity: the path, a dot and the name of the field. */
  readonly name: string;
  /** The position among the columns of the entity, from 1. */
  readonly at: number;
  readonly kind: 'dimension' | 'measure';
  readonly dataType: DataType;
  /** The path to the entity that owns the field; null for the entity's own fields. */
  readonly path: string | null;
  readonly description: string | null;
}

/** Lists the columns of one entity or of all: its own fields and those reached over to-one relationships. */
export function listDescribed(
  { model, index }: AskedModel,
  entity: string | null = null,
): readonly DescribedField[] {
  return model.layers.flatMap((layer) =>
    layer.domains.flatMap((domain) =>
      domain.entities
        .filter(({ name }) => entity === null || name === entity)
        .flatMap(({ name }) => {
          const place = { layer: layer.name, domain: domain.name, entity: name };
          const own = entryOf(index.entities, name);
          const all = [...listOwn(own), ...listReached(index, own)];
          return all.map((field, at) => ({ ...place, ...field, at: at + 1 }));
        }),
    ),
  );
}

type Field = Omit<DescribedField, 'layer' | 'domain' | 'entity' | 'at'>;

function listOwn({ dimensions, measures }: IndexedEntity): readonly Field[] {
  return [
    ...listDimensions(dimensions, null),
    ...[...measures.values()].map(({ name, dataType, description }): Field => {
      return { name, kind: 'measure', dataType, path: null, description: description ?? null };
    }),
  ];
}

function listDimensions(dimensions: IndexedEntity['dimensions'], path: string | null): readonly Field[] {
  return [...dimensions.values()].map(({ dimension: { name, dataType, description } }): Field => {
    const written = path === null ? name : `${path}.${name}`;
    return { name: written, kind: 'dimension', dataType, path, description: description ?? null };
  });
}

/** Uses the entity's name if only one path leads to it, otherwise the relationship names. */
function listReached(index: ModelIndex, from: IndexedEntity): readonly Field[] {
  return [...index.entities.values()].flatMap((to) => {
    if (to === from) return listRoles(from, to);
    const path = findToOnePath(index, from, to);
    if (path === null) return [];
    return path instanceof SemanticError
      ? listRoles(from, to)
      : listDimensions(to.dimensions, to.entity.name);
  });
}

function listRoles(from: IndexedEntity, to: IndexedEntity): readonly Field[] {
  const steps = from.edges.filter((edge) => edge.to === to && !edge.toMany);
  return steps.flatMap(({ step }) => listDimensions(to.dimensions, `${from.entity.name}.${step}`));
}
