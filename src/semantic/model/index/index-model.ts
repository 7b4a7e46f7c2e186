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
import { type Expression, readExpression } from '../read-expression.ts';

/** A relationship as it leads from one entity to another, in its own direction or the other (semantic 3). */
export interface Edge {
  /** Of the index, from 0. */
  readonly id: number;
  readonly from: IndexedEntity;
  readonly to: IndexedEntity;
  /** What a path calls it: the relationship's name, or `entity:relationship` against its direction. */
  readonly step: string;
  /** Whether a row of `from` may have several of `to`. */
  readonly toMany: boolean;
  readonly condition: string;
  /** The names that qualify columns in the condition: of the entity that declares it, of the other. */
  readonly names: readonly [string, string];
  readonly isInverse: boolean;
  /** The same relationship as it leads back. */
  readonly inverse: Edge;
}

/** A relationship that has no SQL: a path over it is refused for the reason (`x_unreachable`). */
export interface BlockedEdge {
  readonly from: IndexedEntity;
  readonly to: IndexedEntity;
  readonly toMany: boolean;
  readonly reason: string;
}

export interface IndexedDimension {
  readonly dimension: Dimension;
  /** With a grain, the dimension that it cuts. */
  readonly base: Dimension;
}

export interface IndexedEntity {
  readonly entity: Entity;
  readonly timezone: string;
  /** Hidden ones are not there. */
  readonly dimensions: ReadonlyMap<string, IndexedDimension>;
  readonly measures: ReadonlyMap<string, Measure>;
  /** To other entities; none twice. */
  readonly edges: readonly Edge[];
  readonly blocked: readonly BlockedEdge[];
  /** All edges, by what paths call them. */
  readonly steps: ReadonlyMap<string, Edge>;
}

/** A model that questions can be asked of quickly; made once for a model. */
export interface ModelIndex {
  readonly entities: ReadonlyMap<string, IndexedEntity>;
  readonly domains: readonly Domain[];
  /** What is read of the model's expressions, for a lexicalRules. */
  readonly expressions: WeakMap<LexicalRules, Map<string, Expression>>;
  /** What `findPath` has found, by the entity where paths begin. */
  readonly routes: Map<IndexedEntity, ReadonlyMap<IndexedEntity, Route>>;
}

/** What a question is put to. */
export interface AskedModel {
  readonly model: Model;
  readonly index: ModelIndex;
}

/** The cheapest edges by which an entity is reached from another; several where paths tie. */
export interface Route {
  readonly cost: number;
  readonly last: readonly (Edge | BlockedEdge)[];
}

interface Draft extends IndexedEntity {
  readonly edges: Edge[];
  readonly blocked: BlockedEdge[];
  readonly steps: Map<string, Edge>;
}

/** Indexes a sound model, or one layer of it. */
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

/** Reads an expression of an entity; the answer is kept. */
export function findExpression(
  { expressions }: ModelIndex,
  text: string,
  names: readonly string[],
  lexicalRules: LexicalRules,
): Expression {
  const known = expressions.get(lexicalRules) ?? new Map<string, Expression>();
  expressions.set(lexicalRules, known);
  const key = `${names.join('\0')}\0${text}`;
  const expression = known.get(key) ?? readExpression(text, names, lexicalRules);
  known.set(key, expression);
  return expression;
}

type IndexedFields = Pick<IndexedEntity, 'dimensions' | 'measures'>;

const fields = new WeakMap<Entity, IndexedFields>();

function createDraft(entity: Entity, timezone: string): Draft {
  return { entity, timezone, ...getFields(entity), edges: [], blocked: [], steps: new Map() };
}

/** The fields of an entity by their names, made once: of many entities, few change. */
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
  const measures = entity.measures.filter(({ hidden }) => !hidden).map((own) => [own.name, own] as const);
  return { dimensions, measures: new Map(measures) };
}

type MutableEdge = { -readonly [K in keyof Edge]: Edge[K] };
type DraftEdge = Omit<Edge, 'id' | 'inverse'>;

/** Edges and their inverses; one that two entities declare of each other is there once. */
class EdgeList {
  #count = 0;
  readonly #known = new Map<string, MutableEdge>();

  add(from: Draft, to: Draft, { name, joinType, expr }: Relationship, lexicalRules: LexicalRules): void {
    const isOwn = from === to;
    const names = [from.entity.name, isOwn ? name : to.entity.name] as const;
    const condition = { condition: expr, names };
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
      // Who declares it names it; of two cardinalities the careful one holds.
      known.toMany ||= edge.toMany;
      if (!edge.isInverse && known.isInverse) {
        const { step, condition: own, names } = edge;
        Object.assign(known, { step, condition: own, names, isInverse: false });
      }
    }
    if (!at.steps.has(edge.step) || !edge.isInverse) at.steps.set(edge.step, known);
    return known;
  }
}

/** The same text for conditions that say the same, whichever of the entities declares them. */
function normalize(expr: string, names: readonly [string, string], lexicalRules: LexicalRules): string {
  const isTurned = names[0] > names[1];
  const { equalities } = readExpression(expr, names, lexicalRules);
  if (equalities === null) return expr.replace(/\s+/g, ' ').trim();
  const texts = equalities.map(({ left, right }) => (isTurned ? `${right}=${left}` : `${left}=${right}`));
  return texts.sort().join(' AND ');
}
