import { elementAt, notNull, present } from '../../../invariants/must.ts';
import { findTimeZone } from '../local-time.ts';
import type {
  Dimension,
  Domain,
  Entity,
  Grain,
  Layer,
  Measure,
  Model,
  Relationship,
  Unreachable,
} from '../model.ts';
import type {
  DimensionDocument,
  DomainDocument,
  EntityDocument,
  LayerDocument,
  MeasureDocument,
  RelationshipDocument,
  UnreachableDocument,
} from '../model-schema.ts';
import type { MergedDomain, MergedLayer, Part } from '../read/merge-files.ts';

/** Converts merged files without errors to a model. */
export function toModel(layers: readonly MergedLayer[]): Model {
  return { version: '1.0', layers: layers.map(toLayer) };
}

function toLayer({ name, parts, domains }: MergedLayer): Layer {
  const documents = parts.map(({ document }) => document as LayerDocument);
  return {
    name,
    label: findFirst(documents, (layer) => layer.label),
    platform: elementAt(documents, 0).environment.platform,
    timezone: notNull(findTimeZone(findFirst(documents, (layer) => layer.x_timezone) ?? 'UTC')),
    synonyms: collectSynonyms(documents),
    domains: domains.map(toDomain),
  };
}

function toDomain({ name, parts, entities }: MergedDomain): Domain {
  const documents = parts.map(({ document }) => document as DomainDocument);
  return {
    name,
    label: findFirst(documents, (domain) => domain.label),
    description: findFirst(documents, (domain) => domain.description),
    synonyms: collectSynonyms(documents),
    entities: entities.map(getEntity),
  };
}

function findFirst<Document>(
  documents: readonly Document[],
  read: (document: Document) => string | undefined,
): string | undefined {
  return documents.map(read).find((value) => value !== undefined);
}

function collectSynonyms(documents: readonly { readonly x_synonyms?: readonly string[] }[]): string[] {
  return [...new Set(documents.flatMap(({ x_synonyms = [] }) => x_synonyms))];
}

const entities = new WeakMap<object, Entity>();

/** The entity of a document, cached: when files change, most documents stay the same. */
function getEntity({ document }: Part<EntityDocument>): Entity {
  const known = entities.get(document);
  if (known !== undefined) return known;
  const made = toEntity(document as EntityDocument);
  entities.set(document, made);
  return made;
}

function toEntity(entity: EntityDocument): Entity {
  const { name, label, description, table_name, query } = entity;
  return {
    name,
    label,
    description,
    source:
      query === undefined ? { kind: 'table', name: present(table_name) } : { kind: 'query', sql: query },
    primaryKey: entity.x_primary_key ?? null,
    synonyms: entity.x_synonyms ?? [],
    dimensions: (entity.dimensions ?? []).flatMap(toDimensions),
    measures: (entity.measures ?? []).map(toMeasure),
    relationships: (entity.relationships ?? []).map(toRelationship),
    unreachable: (entity.x_unreachable ?? []).map(toUnreachable),
  };
}

/** The dimension, followed by one dimension per grain. */
function toDimensions(document: DimensionDocument): readonly Dimension[] {
  const { name, label, data_type, hidden = false, expr, x_grains = [] } = document;
  const dimension: Dimension = {
    name,
    label,
    description: document.x_description,
    dataType: data_type,
    hidden,
    expr,
    grain: null,
    caseSensitive: document.x_case_sensitive ?? false,
    synonyms: document.x_synonyms ?? [],
  };
  return [dimension, ...x_grains.map((grain) => toGrain(dimension, grain))];
}

function toGrain(dimension: Dimension, grain: Grain): Dimension {
  const { name, label } = dimension;
  return {
    ...dimension,
    name: `${name}_${grain}`,
    label: label === undefined ? undefined : `${label} (${grain})`,
    dataType: 'DATE',
    grain,
    synonyms: [],
  };
}

function toMeasure(measure: MeasureDocument): Measure {
  const { name, label, data_type, hidden = false, expr, aggregation_type, x_filter, x_synonyms } = measure;
  return {
    name,
    label,
    description: measure.x_description,
    dataType: data_type,
    hidden,
    expr: expr.trim() === '*' ? '*' : expr,
    aggregation: aggregation_type,
    filter: x_filter ?? null,
    synonyms: x_synonyms ?? [],
  };
}

function toRelationship({ name, join_type, to_entity, expr }: RelationshipDocument): Relationship {
  return { name, joinType: join_type, toEntity: to_entity, expr };
}

function toUnreachable({ to_entity, join_type, reason }: UnreachableDocument): Unreachable {
  return { toEntity: to_entity, joinType: join_type ?? null, reason };
}
