import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import type { Source } from '../../../engine/text/source.ts';
import { elementAt, notNull, present } from '../../../invariants/must.ts';
import { checkModel, warnAboutPaths } from '../check/check-model.ts';
import { createModelIndex, type ModelIndex } from '../index/index-model.ts';
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
import { modelMessages } from '../model-messages.ts';
import type {
  DimensionDocument,
  DomainDocument,
  EntityDocument,
  LayerDocument,
  MeasureDocument,
  RelationshipDocument,
  UnreachableDocument,
} from '../model-schema.ts';
import { collectFindings } from '../read/findings.ts';
import { type FilePart, type MergedDomain, type MergedLayer, mergeFiles } from '../read/merge-files.ts';
import { type ModelFileReading, readModelFile } from '../read/read-model-file.ts';

/** A valid model with its index and locations, or null and its errors; `diagnostics` also has warnings. */
interface ModelReading {
  readonly model: Model | null;
  readonly index: ModelIndex | null;
  readonly places: ModelPlaces | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The maximum length of all files of a model, in characters. */
export const MAX_CHARACTERS = 16 * 1024 ** 2;

/** Reads a model from its YAML or JSON files, in any order (docs/reference/semantic-model.md). Never throws. */
export function readModel(sources: readonly Source[]): ModelReading {
  return joinModelFiles(sources.map(readModelFile));
}

/** Like `readModel`, for files that are already read. */
export function joinModelFiles(files: readonly ModelFileReading[]): ModelReading {
  const size = files.reduce((sum, { source }) => sum + source.text.length, 0);
  if (size > MAX_CHARACTERS) {
    const message = modelMessages.tooMany('characters', MAX_CHARACTERS);
    return {
      model: null,
      index: null,
      places: null,
      diagnostics: [createDiagnostic(elementAt(files, 0).source, { start: 0, end: 0 }, message, 'model')],
    };
  }
  const findings = collectFindings();
  const layers = mergeFiles(files, findings);
  checkModel(layers, findings);
  const diagnostics = [...files.flatMap((file) => file.diagnostics), ...findings.diagnostics];
  if (diagnostics.length > 0)
    return { model: null, index: null, places: null, diagnostics: sort(files, diagnostics) };
  const model = toModel(layers);
  const index = createModelIndex(model);
  warnAboutPaths(layers, index, findings);
  return { model, index, places: createModelPlaces(layers), diagnostics: sort(files, findings.diagnostics) };
}

/** Sorts diagnostics by file and position. */
function sort(files: readonly ModelFileReading[], all: readonly Diagnostic[]): readonly Diagnostic[] {
  if (all.length < 2) return all;
  const order = new Map(files.map(({ source }, at) => [source.name, at]));
  const fileOf = ({ file }: Diagnostic) => order.get(file) ?? 0;
  return [...all].sort(
    (one, other) => fileOf(one) - fileOf(other) || one.line - other.line || one.column - other.column,
  );
}

/** Converts merged files without errors to a model. */
function toModel(layers: readonly MergedLayer[]): Model {
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
function getEntity({ document }: FilePart<EntityDocument>): Entity {
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

/** A key of an entity, or of one of its fields or relationships. */
export interface ModelPlace {
  readonly entity: string;
  /** Null for the entity itself. */
  readonly part: { readonly list: 'dimensions' | 'measures' | 'relationships'; readonly name: string } | null;
  readonly key: string;
}

/** The locations of a valid model's parts in its files. */
export interface ModelPlaces {
  /** Creates a diagnostic at an existing location of the model. */
  createFinding(place: ModelPlace, message: string): Diagnostic;
}

/** Creates the locations of the model in the merged files. */
function createModelPlaces(layers: readonly MergedLayer[]): ModelPlaces {
  return {
    createFinding({ entity, part, key }, message) {
      const entities = layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
      const { file, document } = present(entities.find((one) => one.document.name === entity));
      const parts: readonly { readonly name?: string | undefined }[] = (part && document[part.list]) ?? [];
      const owner = parts.find(({ name }) => name === part?.name) ?? document;
      return createDiagnostic(file.source, file.places.find(owner, key), message, 'model');
    },
  };
}
