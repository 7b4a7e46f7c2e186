import { elementAt } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import { SemanticError } from '../../errors.ts';
import type { FieldUse } from '../../model/index/field-use.ts';
import { findToOnePath } from '../../model/index/join-path.ts';
import { findField } from '../../query/resolve-query.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { NameSyntax, RelationSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { EntityScope, ScopeEntity, ScopeView, TranslateEntityJoin } from './entity-scope.ts';
import type { FromItem, NameEnvironment, SourceSyntax } from './environment.ts';
import { coverNames, type EntityPlace, extend, findEntity, findEntityPath } from './find-entity.ts';
import { joinResults, type OpenResult } from './join-results.ts';
import { listJoined } from './list-joined.ts';
import { matchName, matchNamed, printNames } from './match-name.ts';

/**
 * Creates the scope of the entities, transparent sub-queries and joined results in FROM. Throws a SemanticSqlError.
 */
export function createNameScope(
  environment: NameEnvironment,
  from: readonly RelationSyntax[],
  translateOn: TranslateEntityJoin,
): EntityScope {
  const entities: ScopeEntity[] = [];
  const views: ScopeView[] = [];
  const places: EntityPlace[] = [];
  const results: OpenResult[] = [];
  const { sources, on } = listJoined(environment, from);
  for (const { relation, source, beside } of sources) {
    const { name, isAlias } = nameSource(relation, source);
    const entityPlaces = listPlaces(source);
    const twice = entityPlaces.find(({ ref }) => places.some((place) => place.ref === ref));
    if (twice !== undefined) throw new SemanticSqlError(relation, translationTexts.twice(twice.ref));
    places.push(...entityPlaces);
    const others = [...entities, ...views, ...results];
    if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      throw new SemanticSqlError(relation, translationTexts.nameTwice(name));
    }
    if (source.kind === 'result') results.push({ name, relation, source, beside });
    else if (source.kind === 'view') views.push({ ...source.view, name });
    else entities.push({ name, isAlias, place: source.place });
  }
  const scope = { ...environment, entities, views, places, measured: new WeakMap() };
  return results.length === 0 ? scope : joinResults(scope, results, on, translateOn);
}

function listPlaces(source: FromItem): readonly EntityPlace[] {
  if (source.kind === 'result') return [];
  return source.kind === 'view' ? source.view.entities : [source.place];
}

function nameSource(relation: SourceSyntax, source: FromItem): Pick<ScopeEntity, 'name' | 'isAlias'> {
  if (relation.alias !== null) return { name: relation.alias.text, isAlias: true };
  if (source.kind === 'entity') return { name: source.place.ref, isAlias: false };
  const name = relation.kind === 'table' ? elementAt(relation.names, -1).text : '';
  return { name, isAlias: false };
}

/** Whether names refer to a part of FROM, which a sub-query of this SELECT cannot use. */
export function isInScope(scope: EntityScope, names: readonly NameSyntax[]): boolean {
  const [first, ...others] = names;
  if (first === undefined) return false;
  const matches =
    others.length > 0
      ? matchNamed<{ readonly name: string }>(first, [...scope.entities, ...scope.views])
      : listCandidates(scope, first);
  return matches.length > 0;
}

/**
 * Finds the field that names in a statement refer to (docs/reference/semantic-sql.md#names); null for an unknown name
 * without a qualifier.
 */
export function findColumn(scope: EntityScope, names: readonly NameSyntax[]): FieldUse | null {
  const field = elementAt(names, -1);
  if (names.length === 1) return findBare(scope, field);
  const view = findView(scope, names.slice(0, -1));
  if (view !== null) return findInView(view, names, field);
  const place = findQualifier(scope, names.slice(0, -1));
  const use = findIn(scope, place, field) ?? findReached(scope, [place], field);
  if (use !== null) return use;
  const near = suggest(field.text, listFields(place));
  throw new SemanticSqlError(coverNames(names), translationTexts.unknownField(field.text, place.ref, near));
}

/** Throws a SemanticSqlError for an unknown column, with a suggestion. */
export function refuseUnknown(scope: EntityScope, names: readonly NameSyntax[]): never {
  const name = elementAt(names, -1);
  if (scope.isOutside(names))
    throw new SemanticSqlError(name, translationTexts.correlated(printNames(names)));
  const candidates = [
    ...scope.entities.flatMap(({ place }) => listFields(place)),
    ...scope.views.flatMap(({ columns }) => columns.map((column) => column.name)),
  ];
  const near = suggest(name.text, candidates) ?? findElsewhere(scope, name);
  const looksLikeText = name.isQuoted && near === undefined;
  const message = looksLikeText
    ? translationTexts.unknownQuoted(name.text)
    : translationTexts.unknownColumn(name.text, near);
  throw new SemanticSqlError(name, message);
}

/** The entities (with their qualifiers) and views of a star. Throws a SemanticSqlError. */
export function findStarred(
  scope: EntityScope,
  { names }: { readonly names: readonly NameSyntax[] },
): Pick<EntityScope, 'entities' | 'views'> {
  if (names.length === 0) return scope;
  const view = findView(scope, names);
  if (view !== null) return { entities: [], views: [view] };
  const place = findQualifier(scope, names);
  const scopeEntity = scope.entities.find((entity) => entity.place === place);
  return { entities: [scopeEntity ?? { name: place.ref, isAlias: false, place }], views: [] };
}

/** Finds the same name in an entity outside FROM. */
function findElsewhere({ index }: EntityScope, name: NameSyntax): string | undefined {
  for (const owner of index.entities.values()) {
    const [fieldName] = matchName(name, [...owner.dimensions.keys(), ...owner.measures.keys()]);
    if (fieldName !== undefined) return `${owner.entity.name}.${fieldName}`;
  }
  return undefined;
}

function listFields({ owner }: EntityPlace): readonly string[] {
  return [...owner.dimensions.keys(), ...owner.measures.keys()];
}

interface Candidate {
  readonly qualified: string;
  readonly find: () => FieldUse;
}

/** The fields that a bare name can refer to. */
function listCandidates(scope: EntityScope, name: NameSyntax): readonly Candidate[] {
  const ofEntities = scope.entities.flatMap((entity) =>
    matchName(name, listFields(entity.place)).map((field) => ({
      qualified: `${entity.name}.${field}`,
      find: () => findField(scope.index, { entity: entity.place.ref, field }),
    })),
  );
  const ofViews = scope.views.flatMap((view) =>
    matchNamed(name, view.columns).map((column) => ({
      qualified: `${view.name}.${column.name}`,
      find: () => column.use,
    })),
  );
  return [...ofEntities, ...ofViews];
}

function findBare(scope: EntityScope, name: NameSyntax): FieldUse | null {
  const candidates = listCandidates(scope, name);
  const [only] = candidates;
  if (candidates.length > 1) {
    const all = candidates.map(({ qualified }) => qualified);
    throw new SemanticSqlError(name, translationTexts.ambiguousColumn(name.text, all));
  }
  if (only !== undefined) return only.find();
  return findReached(
    scope,
    scope.entities.map(({ place }) => place),
    name,
  );
}

function findView(scope: EntityScope, names: readonly NameSyntax[]): ScopeView | null {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return null;
  return matchNamed(name, scope.views)[0] ?? null;
}

function findInView(view: ScopeView, names: readonly NameSyntax[], name: NameSyntax): FieldUse {
  const columns = matchNamed(name, view.columns);
  const [only, ...others] = columns;
  if (only === undefined) {
    const near = suggest(
      name.text,
      view.columns.map((column) => column.name),
    );
    throw new SemanticSqlError(coverNames(names), translationTexts.noColumn(name.text, view.name, near));
  }
  if (others.length === 0) return only.use;
  const all = columns.map((column) => `${view.name}."${column.name}"`);
  throw new SemanticSqlError(name, translationTexts.ambiguousColumn(name.text, all));
}

/** The entity of a qualifier: one in FROM, or any other entity, unless an alias in FROM replaces its name. */
function findQualifier(scope: EntityScope, names: readonly NameSyntax[]): EntityPlace {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0) {
    const [entity] = matchNamed(first, scope.entities);
    if (entity !== undefined) return entity.place;
  }
  if (scope.isOutside([...names, elementAt(names, -1)])) {
    throw new SemanticSqlError(coverNames(names), translationTexts.correlated(printNames(names)));
  }
  const place = findEntity(scope, names);
  const aliased = scope.entities.find((entity) => entity.isAlias && entity.place.ref === place.ref);
  if (aliased === undefined) return place;
  throw new SemanticSqlError(coverNames(names), translationTexts.aliased(printNames(names), aliased.name));
}

function findIn(scope: EntityScope, place: EntityPlace, name: NameSyntax): FieldUse | null {
  const fields = matchName(name, listFields(place));
  const [only] = fields;
  if (only === undefined) return null;
  if (fields.length === 1) return findField(scope.index, { entity: place.ref, field: only });
  const all = fields.map((field) => `${place.ref}."${field}"`);
  throw new SemanticSqlError(name, translationTexts.ambiguousColumn(name.text, all));
}

/**
 * Finds the field of one quoted name with dots. The field belongs to an entity that the FROM entities reach over to-one
 * relationships.
 */
function findReached(scope: EntityScope, places: readonly EntityPlace[], name: NameSyntax): FieldUse | null {
  const dot = name.text.lastIndexOf('.');
  const target = name.isQuoted && dot > 0 ? findEntityPath(scope.index, name.text.slice(0, dot)) : undefined;
  if (target === undefined) return null;
  const field = name.text.slice(dot + 1);
  const [reached] = places.flatMap((from) => reach(scope, from, target, name) ?? []);
  if (reached === undefined) {
    const from = places.map(({ ref }) => ref);
    throw new SemanticSqlError(name, translationTexts.notReached(name.text, from));
  }
  if (!listFields(reached).includes(field)) {
    const near = suggest(field, listFields(reached));
    throw new SemanticSqlError(name, translationTexts.unknownField(field, target.ref, near));
  }
  return findField(scope.index, { entity: reached.ref, field });
}

/** The place of a target seen from another place; null if no to-one relationships lead there. */
function reach(
  scope: EntityScope,
  from: EntityPlace,
  target: EntityPlace,
  name: NameSyntax,
): EntityPlace | null {
  if (target.steps.some(({ toMany }) => toMany)) return null;
  if (target.steps.length > 0) return target.start === from.owner ? extend(from, target.steps) : null;
  const path = findToOnePath(scope.index, from.owner, target.owner);
  if (path instanceof SemanticError) throw new SemanticSqlError(name, path.message);
  if (path === null) return null;
  return from.steps.length === 0 ? target : extend(from, path);
}
