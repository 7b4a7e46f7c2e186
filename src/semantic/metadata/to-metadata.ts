import { listKeys } from '../../invariants/narrow.ts';
import type { Dimension, Domain, Entity, Layer, Measure, Model, Relationship } from '../model/model.ts';
import { printGrain } from '../sql/print-grain.ts';
import type {
  DimensionBody,
  DomainBody,
  EntityBody,
  LayerBody,
  MeasureBody,
  MetadataBody,
  RelationshipBody,
} from './metadata-body.ts';

/** The metadata response of a model (docs/reference/semantic-http.md#metadata-of-a-model). */
export function toMetadata({ version, layers }: Model): MetadataBody {
  return { version, layers: layers.map(toLayerBody) };
}

function toLayerBody(layer: Layer): LayerBody {
  const { name, label, platform, domains } = layer;
  return {
    name,
    ...keepTexts({ label }),
    environment: { platform },
    domains: domains.map((domain) => toDomainBody(domain, layer)),
  };
}

function toDomainBody({ name, label, description, entities }: Domain, layer: Layer): DomainBody {
  return {
    name,
    ...keepTexts({ label, description }),
    entities: entities.map((entity) => toEntityBody(entity, layer)),
  };
}

function toEntityBody(entity: Entity, layer: Layer): EntityBody {
  const { name, label, description, source } = entity;
  return {
    name,
    ...keepTexts({ label, description }),
    ...(source.kind === 'table' ? { table_name: source.name } : { query: source.sql }),
    dimensions: toDimensionBodies(entity, layer),
    measures: entity.measures.map(toMeasureBody),
    relationships: entity.relationships.map(toRelationshipBody),
  };
}

function toDimensionBodies({ dimensions }: Entity, layer: Layer): DimensionBody[] {
  // Grains follow the dimension that they truncate.
  let base: Dimension | undefined;
  return dimensions.map((dimension) => {
    const { name, label, dataType, hidden, grain } = dimension;
    if (grain === null) base = dimension;
    const expr = grain === null || !base ? dimension.expr : printGrain(base, grain, layer);
    return { name, ...keepTexts({ label }), data_type: dataType, hidden, expr };
  });
}

function toMeasureBody({ name, label, dataType, hidden, expr, aggregation }: Measure): MeasureBody {
  return { name, ...keepTexts({ label }), data_type: dataType, hidden, expr, aggregation_type: aggregation };
}

function toRelationshipBody({ name, joinType, toEntity, expr }: Relationship): RelationshipBody {
  return { name, join_type: joinType, to_entity: toEntity, expr };
}

/** Keeps the keys that have a value. */
function keepTexts<Key extends string>(
  texts: Readonly<Record<Key, string | undefined>>,
): Readonly<Partial<Record<Key, string>>> {
  const known: Partial<Record<Key, string>> = {};
  for (const key of listKeys(texts)) {
    const text = texts[key];
    if (text !== undefined) known[key] = text;
  }
  return known;
}
