import type { Span } from '../../../engine/text/span.ts';
import { elementAt, entryOf } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import type { AskedModel, Edge, IndexedEntity, ModelIndex } from '../../model/index/index-model.ts';
import type { Model } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { NameSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { matchName, printNames } from './match-name.ts';

/** An entity, or the entity at the end of a path over relationships. */
export interface EntityPlace {
  /** As the `entity` of a field writes it: `orders`, `orders.ship_to`. */
  readonly ref: string;
  readonly start: IndexedEntity;
  readonly steps: readonly Edge[];
  readonly owner: IndexedEntity;
}

/** An entity with its layer and domain. */
interface QualifiedEntity {
  readonly layer: string;
  readonly domain: string;
  readonly entity: string;
}

const qualified = new WeakMap<Model, readonly QualifiedEntity[]>();

function listQualified(model: Model): readonly QualifiedEntity[] {
  const known =
    qualified.get(model) ??
    model.layers.flatMap((layer) =>
      layer.domains.flatMap((domain) =>
        domain.entities.map((entity) => ({ layer: layer.name, domain: domain.name, entity: entity.name })),
      ),
    );
  qualified.set(model, known);
  return known;
}

/**
 * Finds the entity that names in a statement refer to: `orders`, `sales.orders`, `layer.sales.orders`, or a path in
 * double quotes, `"orders.ship_to"`. Throws a SemanticSqlError.
 */
export function findEntity({ model, index }: AskedModel, names: readonly NameSyntax[]): EntityPlace {
  const last = elementAt(names, -1);
  const span = { start: elementAt(names, 0).start, end: last.end };
  const matches = listMatches(model, index, names);
  const [only] = matches;
  if (only === undefined) {
    const near = suggest(printNames(names), index.entities.keys());
    throw new SemanticSqlError(span, translationTexts.unknownEntity(printNames(names), near));
  }
  if (matches.length > 1) {
    const places = matches.map(({ ref }) => ref);
    throw new SemanticSqlError(span, translationTexts.ambiguousEntity(printNames(names), places));
  }
  return only;
}

function listMatches(model: Model, index: ModelIndex, names: readonly NameSyntax[]): readonly EntityPlace[] {
  const [last, domain, layer, ...more] = names.toReversed();
  if (last === undefined || more.length > 0) return [];
  const within = listQualified(model).filter(
    (entity) =>
      (domain === undefined || matchName(domain, [entity.domain]).length > 0) &&
      (layer === undefined || matchName(layer, [entity.layer]).length > 0),
  );
  const entities = matchName(
    last,
    within.map(({ entity }) => entity),
  );
  if (entities.length > 0) return entities.map((name) => toPlace(entryOf(index.entities, name)));
  const path = last.isQuoted ? findEntityPath(index, last.text) : undefined;
  return path !== undefined && within.some(({ entity }) => entity === path.start.entity.name) ? [path] : [];
}

function toPlace(entity: IndexedEntity): EntityPlace {
  return { ref: entity.entity.name, start: entity, steps: [], owner: entity };
}

/** Finds an entity, or a path: an entity and relationship names, joined with dots. */
export function findEntityPath({ entities }: ModelIndex, text: string): EntityPlace | undefined {
  const entity = entities.get(text);
  if (entity !== undefined) return toPlace(entity);
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const start = entities.get(text.slice(0, dot));
    const place = start && walk(start, text.slice(dot + 1).split('.'));
    if (place !== undefined) return place;
  }
  return undefined;
}

function walk(start: IndexedEntity, names: readonly string[]): EntityPlace | undefined {
  const edges: Edge[] = [];
  let owner = start;
  for (const name of names) {
    const edge = owner.steps.get(name);
    if (edge === undefined) return undefined;
    edges.push(edge);
    owner = edge.to;
  }
  return extend(toPlace(start), edges);
}

/** Extends a place with more relationships. */
export function extend({ ref, start, steps, owner }: EntityPlace, more: readonly Edge[]): EntityPlace {
  return {
    ref: [ref, ...more.map(({ step }) => step)].join('.'),
    start,
    steps: [...steps, ...more],
    owner: more.at(-1)?.to ?? owner,
  };
}

/** The span from the first name to the last. */
export function coverNames(names: readonly NameSyntax[]): Span {
  return { start: elementAt(names, 0).start, end: elementAt(names, -1).end };
}
