import { present } from '../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../errors.ts';
import { hintEntity, hintField } from '../model/index/hints.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findPathOrError } from '../model/index/join-path.ts';
import type { AggregationType, DataType, Dimension, Grain, Measure } from '../model/model.ts';

/** A view of a model for people who write queries. As in the metadata, empty optional keys are left out. */
export type Exploration = ExploredModel | ExploredEntity | ExploredField;

interface ExploredModel {
  readonly kind: 'model';
  /** Only the domains with more than a name. */
  readonly domains?: readonly (Words & { readonly name: string })[];
  readonly entities: readonly (Words & {
    readonly name: string;
    readonly dimensions: number;
    readonly measures: number;
    /** Names of related entities, sorted. */
    readonly related: readonly string[];
  })[];
}

interface ExploredEntity extends Words {
  readonly kind: 'entity';
  readonly name: string;
  readonly dimensions: readonly DimensionLine[];
  readonly measures: readonly MeasureLine[];
  readonly relationships: readonly {
    /** The name in a path. */
    readonly name: string;
    readonly to_entity: string;
    /** Whether one row can have several related rows. */
    readonly to_many: boolean;
  }[];
  /** Entities behind a relationship without SQL. Queries that need it are refused. */
  readonly unreachable?: readonly { readonly to_entity: string; readonly reason: string }[];
}

interface ExploredField {
  readonly kind: 'field';
  readonly entity: string;
  readonly field: DimensionLine | MeasureLine;
  /** For a measure, the dimensions that can group it; for a dimension, the measures that it can group. */
  readonly together: readonly Together[];
}

interface Words {
  readonly label?: string;
  readonly description?: string;
  readonly synonyms?: readonly string[];
}

interface DimensionLine extends Words {
  readonly name: string;
  readonly data_type: DataType;
  readonly expr: string;
  /** The unit that `expr` is truncated to. */
  readonly x_grain?: Grain;
}

interface MeasureLine extends Omit<DimensionLine, 'x_grain'> {
  readonly aggregation_type: AggregationType;
  readonly x_filter?: string;
}

/** Fields of an entity that can be combined with the chosen field. */
export interface Together {
  readonly entity: string;
  /** Names, sorted. */
  readonly fields: readonly string[];
  /** `overlapping`: a counted row can be in several groups. */
  readonly answer: 'yes' | 'overlapping' | 'no';
  /** The relationships from the measure's entity to the dimension's; empty for the same entity. */
  readonly path: readonly string[];
  /** The reason for `no`. */
  readonly reason?: string;
}

/** Describes a model, one of its entities or a field (`entity.field`). Throws a SemanticError for an unknown name. */
export function exploreModel(index: ModelIndex, name: string | undefined): Exploration {
  if (name === undefined) return exploreEntities(index);
  const entity = index.entities.get(name);
  if (entity !== undefined) return exploreEntity(entity);
  const dot = name.lastIndexOf('.');
  const owner = dot > 0 ? index.entities.get(name.slice(0, dot)) : undefined;
  if (owner === undefined) {
    const asked = dot > 0 ? name.slice(0, dot) : name;
    throw semanticErrors.entityNotFound(asked, hintEntity(index, asked));
  }
  return exploreField(index, owner, name.slice(dot + 1));
}

function exploreEntities({ entities, domains }: ModelIndex): ExploredModel {
  const described = domains
    .map((domain) => ({ name: domain.name, ...listWords(domain) }))
    .filter((domain) => Object.keys(domain).length > 1);
  const lines = [...entities.values()].map(({ entity, dimensions, measures, edges }) => ({
    name: entity.name,
    ...listWords(entity),
    dimensions: dimensions.size,
    measures: measures.size,
    related: [...new Set(edges.map(({ to }) => to.entity.name))],
  }));
  return { kind: 'model', ...(described.length === 0 ? {} : { domains: described }), entities: lines };
}

function exploreEntity({ entity, dimensions, measures, steps, blocked }: IndexedEntity): ExploredEntity {
  const unreachable = blocked.map(({ to, reason }) => ({ to_entity: to.entity.name, reason }));
  return {
    kind: 'entity',
    name: entity.name,
    ...listWords(entity),
    dimensions: [...dimensions.values()].map(({ dimension }) => toDimensionLine(dimension)),
    measures: [...measures.values()].map(toMeasureLine),
    relationships: [...steps].map(([name, { to, toMany }]) => ({
      name,
      to_entity: to.entity.name,
      to_many: toMany,
    })),
    ...(unreachable.length === 0 ? {} : { unreachable }),
  };
}

function exploreField(index: ModelIndex, owner: IndexedEntity, name: string): ExploredField {
  const { entity, dimensions, measures } = owner;
  const measure = measures.get(name);
  const dimension = dimensions.get(name)?.dimension;
  if (measure === undefined && dimension === undefined) {
    throw semanticErrors.fieldNotFound(name, entity.name, hintField(index, owner, name, 'field'));
  }
  const together = [...index.entities.values()].flatMap((other): readonly Together[] => {
    const fields = [...(measure === undefined ? other.measures : other.dimensions).keys()];
    if (fields.length === 0) return [];
    const [from, to] = measure === undefined ? [other, owner] : [owner, other];
    return [{ entity: other.entity.name, fields, ...judge(findPathOrError(index, from, to)) }];
  });
  const field = measure === undefined ? toDimensionLine(present(dimension)) : toMeasureLine(measure);
  return { kind: 'field', entity: entity.name, field, together };
}

function judge(path: readonly Edge[] | SemanticError): Pick<Together, 'answer' | 'path' | 'reason'> {
  if (path instanceof SemanticError) return { answer: 'no', path: [], reason: path.message };
  const answer = path.some(({ toMany }) => toMany) ? 'overlapping' : 'yes';
  return { answer, path: path.map(({ step }) => step) };
}

function listWords({ label, description, synonyms }: Worded): Words {
  return {
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description }),
    ...(synonyms.length === 0 ? {} : { synonyms }),
  };
}

interface Worded {
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly synonyms: readonly string[];
}

function toDimensionLine(dimension: Dimension): DimensionLine {
  const { name, dataType, expr, grain } = dimension;
  return {
    name,
    ...listWords(dimension),
    data_type: dataType,
    expr,
    ...(grain === null ? {} : { x_grain: grain }),
  };
}

function toMeasureLine(measure: Measure): MeasureLine {
  const { name, dataType, expr, aggregation, filter } = measure;
  const line = { name, ...listWords(measure), data_type: dataType, aggregation_type: aggregation, expr };
  return filter === null ? line : { ...line, x_filter: filter };
}
