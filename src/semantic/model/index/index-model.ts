// A model with its relationships in both directions and its names in maps, made once for each version of a model.
// Expressions of the model are read when the first query needs them, and kept.

import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { entryOf } from '../../../invariants/must.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import type {
  Dimension,
  Domain,
  Entity,
  Layer,
  Measure,
  Model,
  Relationship,
  Unreachable,
} from '../model.ts';
import { type ModelExpression, readModelExpression } from '../read-model-expression.ts';

/** A relationship in one direction (docs/reference/semantic-numbers.md#paths). */
export interface Edge {
  /** The number in the index, from 0. */
  readonly id: number;
  readonly from: IndexedEntity;
  readonly to: IndexedEntity;
  /** The name in a path: the relationship's name, or `entity:relationship` against its direction. */
  readonly step: string;
  /** Whether one row of `from` can have several rows of `to`. */
  readonly toMany: boolean;
  readonly condition: string;
  /** The qualifiers of columns in the condition: the declaring entity, then the other. */
  readonly names: readonly [string, string];
  readonly isInverse: boolean;
  /** The result of a statement that it leads to, which has no inverse; null for a relationship. */
  readonly result: string | null;
  /** The same relationship in the other direction. */
  readonly inverse: Edge;
}

/** A relationship without SQL: a path over it is refused with the reason (`x_unreachable`). */
export interface BlockedEdge {
  readonly from: IndexedEntity;
  readonly to: IndexedEntity;
  readonly toMany: boolean;
  readonly reason: string;
}

interface IndexedDimension {
  readonly dimension: Dimension;
  /** For a grain, the dimension that it truncates. */
  readonly base: Dimension;
}

export interface IndexedEntity {
  readonly entity: Entity;
  readonly timezone: string;
  /** Without hidden dimensions. */
  readonly dimensions: ReadonlyMap<string, IndexedDimension>;
  readonly measures: ReadonlyMap<string, Measure>;
  /** The edges to other entities, without duplicates. */
  readonly edges: readonly Edge[];
  readonly blocked: readonly BlockedEdge[];
  /** All edges by their name in a path. */
  readonly steps: ReadonlyMap<string, Edge>;
}

/** A model prepared for queries; created once per model. */
export interface ModelIndex {
  readonly entities: ReadonlyMap<string, IndexedEntity>;
  readonly domains: readonly Domain[];
  /** Parsed expressions of the model, per lexical rules. */
  readonly expressions: WeakMap<LexicalRules, Map<string, ModelExpression>>;
  /** The results of `findJoinPath`, by start entity. */
  readonly routes: Map<IndexedEntity, ReadonlyMap<IndexedEntity, Route>>;
}

/** The model that a query runs on. */
export interface AskedModel {
  readonly model: Model;
  readonly index: ModelIndex;
}

/** The cheapest last edges to an entity; several if paths tie. */
export interface Route {
  readonly cost: number;
  readonly last: readonly (Edge | BlockedEdge)[];
}

interface Draft extends IndexedEntity {
  readonly edges: Edge[];
  readonly blocked: BlockedEdge[];
  readonly steps: Map<string, Edge>;
}

/** Indexes a valid model, or one of its layers. */
export function createModelIndex(model: Model | Layer): ModelIndex {
  const layers = 'layers' in model ? model.layers : [model];
  const entities = new Map<string, Draft>();
  const all = layers.flatMap((layer) =>
    layer.domains.flatMap((domain) => domain.entities.map((entity) => ({ layer, entity }))),
  );
  for (const { entity, layer } of all) entities.set(entity.name, createDraft(entity, layer.timezone));
  const edges = new EdgeList();
  for (const { entity, layer } of all) {
    const lexicalRules = DIALECTS[layer.platform].lexicalRules;
    for (const relationship of entity.relationships) {
      edges.add(
        entryOf(entities, entity.name),
        entryOf(entities, relationship.toEntity),
        relationship,
        lexicalRules,
      );
    }
    for (const unreachable of entity.unreachable) {
      block(entryOf(entities, entity.name), entryOf(entities, unreachable.toEntity), unreachable);
    }
  }
  const domains = layers.flatMap((layer) => layer.domains);
  return { entities, domains, expressions: new WeakMap(), routes: new Map() };
}

function block(from: Draft, to: Draft, { joinType, reason }: Unreachable): void {
  from.blocked.push({ from, to, toMany: joinType === 'ONE_TO_MANY', reason });
  to.blocked.push({ from: to, to: from, toMany: joinType === 'MANY_TO_ONE', reason });
}

/** Parses an expression of an entity, with a cache. */
export function findExpression(
  { expressions }: ModelIndex,
  text: string,
  names: readonly string[],
  lexicalRules: LexicalRules,
): ModelExpression {
  const known = expressions.get(lexicalRules) ?? new Map<string, ModelExpression>();
  expressions.set(lexicalRules, known);
  const key = `${names.join('\0')}\0${text}`;
  const expression = known.get(key) ?? readModelExpression(text, names, lexicalRules);
  known.set(key, expression);
  return expression;
}

type IndexedFields = Pick<IndexedEntity, 'dimensions' | 'measures'>;

const fields = new WeakMap<Entity, IndexedFields>();

function createDraft(entity: Entity, timezone: string): Draft {
  return { entity, timezone, ...getFields(entity), edges: [], blocked: [], steps: new Map() };
}

/** The fields of an entity by name, cached: when files change, most entities stay the same. */
function getFields(entity: Entity): IndexedFields {
  const known = fields.get(entity);
  if (known !== undefined) return known;
  const made = indexFields(entity);
  fields.set(entity, made);
  return made;
}

function indexFields(entity: Entity): IndexedFields {
  const dimensions = new Map<string, IndexedDimension>();
  let base: Dimension | undefined;
  for (const dimension of entity.dimensions) {
    if (dimension.grain === null) base = dimension;
    if (!dimension.hidden) dimensions.set(dimension.name, { dimension, base: base ?? dimension });
  }
  const measures = entity.measures
    .filter(({ hidden }) => !hidden)
    .map((measure) => [measure.name, measure] as const);
  return { dimensions, measures: new Map(measures) };
}

type MutableEdge = { -readonly [K in keyof Edge]: Edge[K] };
type DraftEdge = Omit<Edge, 'id' | 'inverse'>;

/** Edges and their inverses. A relationship that both entities declare appears once. */
class EdgeList {
  #count = 0;
  readonly #known = new Map<string, MutableEdge>();

  add(from: Draft, to: Draft, { name, joinType, expr }: Relationship, lexicalRules: LexicalRules): void {
    const isOwn = from === to;
    const names = [from.entity.name, isOwn ? name : to.entity.name] as const;
    const condition = { condition: expr, names, result: null };
    const forward = {
      from,
      to,
      step: name,
      toMany: joinType === 'ONE_TO_MANY',
      ...condition,
      isInverse: false,
    };
    const back = {
      from: to,
      to: from,
      step: `${from.entity.name}:${name}`,
      toMany: joinType === 'MANY_TO_ONE',
      ...condition,
      isInverse: true,
    };
    const key = isOwn ? `${this.#count}` : normalize(expr, names, lexicalRules);
    const [there, home] = [this.#put(from, forward, key), this.#put(to, back, key)];
    there.inverse = home;
    home.inverse = there;
  }

  #put(at: Draft, edge: DraftEdge, condition: string): MutableEdge {
    const key = `${edge.from.entity.name}\0${edge.to.entity.name}\0${condition}\0${edge.from === edge.to && edge.step}`;
    let known = this.#known.get(key);
    if (known === undefined || known.names[0] === edge.names[0]) {
      known = { ...edge, id: this.#count } as MutableEdge;
      this.#count += 1;
      if (!this.#known.has(key)) this.#known.set(key, known);
      if (edge.from !== edge.to) at.edges.push(known);
    } else {
      // The declaring entity names it. Of two different cardinalities, to-many is used.
      known.toMany ||= edge.toMany;
      if (!edge.isInverse && known.isInverse) {
        const { step, condition: edgeCondition, names } = edge;
        Object.assign(known, { step, condition: edgeCondition, names, isInverse: false });
      }
    }
    if (!at.steps.has(edge.step) || !edge.isInverse) at.steps.set(edge.step, known);
    return known;
  }
}

/** A string that is equal for equal conditions, even if different entities declare them. */
function normalize(expr: string, names: readonly [string, string], lexicalRules: LexicalRules): string {
  const isTurned = names[0] > names[1];
  const { equalities } = readModelExpression(expr, names, lexicalRules);
  if (equalities === null) return expr.replace(/\s+/g, ' ').trim();
  const texts = equalities.map(({ left, right }) => (isTurned ? `${right}=${left}` : `${left}=${right}`));
  return texts.sort().join(' AND ');
}
