import { suggest } from '../../engine/text/suggest.ts';
import { elementAt } from '../../invariants/must.ts';
import { SemanticError } from '../errors.ts';
import type { AskedModel } from '../model/index/asked-model.ts';
import type { FieldUse } from '../model/index/field-use.ts';
import { findToOnePath } from '../model/index/join-path.ts';
import { findField } from '../query/resolve-query.ts';
import { SqlRefusal } from '../syntax/sql-refusal.ts';
import type { ExpressionSyntax, NameSyntax, RelationSyntax } from '../syntax/syntax.ts';
import { coverNames, type EntityPlace, extend, findEntity, findPath } from './find-entity.ts';
import { matchName, printNames } from './match-name.ts';
import { translationTexts } from './translation-texts.ts';

/** An entity that FROM names. */
interface ScopeEntity {
  /** What qualifies its columns: its alias, else its own name. */
  readonly name: string;
  readonly isAlias: boolean;
  readonly place: EntityPlace;
}

/** What names in a SELECT may stand for. */
export interface Scope extends AskedModel {
  readonly entities: readonly ScopeEntity[];
  /** Whether expressions have a measure, as far as that was asked. */
  readonly measured: WeakMap<ExpressionSyntax, boolean>;
}

/** The entities of FROM. Throws a SqlRefusal. */
export function createScope(asked: AskedModel, from: readonly RelationSyntax[]): Scope {
  const entities: ScopeEntity[] = [];
  for (const relation of from.flatMap(flatten)) {
    const { names, alias } = relation;
    const place = findEntity(asked, names);
    const name = alias?.text ?? place.ref;
    const before = entities.find((own) => own.place.ref === place.ref);
    if (before !== undefined) throw new SqlRefusal(relation, translationTexts.twice(place.ref));
    if (entities.some((own) => own.name.toLowerCase() === name.toLowerCase())) {
      throw new SqlRefusal(relation, translationTexts.nameTwice(name));
    }
    entities.push({ name, isAlias: alias !== null, place });
  }
  return { ...asked, entities, measured: new WeakMap() };
}

type TableSyntax = Extract<RelationSyntax, { kind: 'table' }>;

function flatten(relation: RelationSyntax): readonly TableSyntax[] {
  switch (relation.kind) {
    case 'table':
      return [relation];
    case 'derived':
      throw new SqlRefusal(relation, translationTexts.notYet('a sub-query in FROM'));
    case 'join':
      if (relation.join === 'cross') return [...flatten(relation.left), ...flatten(relation.right)];
      throw new SqlRefusal(
        relation.on ?? relation,
        translationTexts.join(relation.using.length > 0 ? 'JOIN … USING' : 'JOIN … ON'),
      );
  }
}

/** The field that names in a statement stand for (semantic SQL 2); null for one without a qualifier that there is not. */
export function findColumn(scope: Scope, names: readonly NameSyntax[]): FieldUse | null {
  const field = elementAt(names, -1);
  if (names.length === 1) return findBare(scope, field);
  const place = findQualifier(scope, names.slice(0, -1));
  const found = findIn(scope, place, field) ?? findReached(scope, [place], field);
  if (found !== null) return found;
  const near = suggest(field.text, listFields(place));
  throw new SqlRefusal(coverNames(names), translationTexts.unknownField(field.text, place.ref, near));
}

/** Throws a SqlRefusal for a column that there is not, with what may have been meant. */
export function refuseUnknown(scope: Scope, names: readonly NameSyntax[]): never {
  const name = elementAt(names, -1);
  const own = scope.entities.flatMap(({ place }) => listFields(place));
  const near = suggest(name.text, own) ?? findElsewhere(scope, name);
  const looksLikeText = name.isQuoted && near === undefined;
  const said = looksLikeText
    ? translationTexts.unknownQuoted(name.text)
    : translationTexts.unknownColumn(name.text, near);
  throw new SqlRefusal(name, said);
}

/** The entities whose columns a star stands for. Throws a SqlRefusal. */
export function findStarred(
  scope: Scope,
  { names }: { readonly names: readonly NameSyntax[] },
): readonly EntityPlace[] {
  return names.length === 0 ? scope.entities.map(({ place }) => place) : [findQualifier(scope, names)];
}

/** The same name in an entity that FROM does not name. */
function findElsewhere({ index }: Scope, name: NameSyntax): string | undefined {
  for (const owner of index.entities.values()) {
    const [found] = matchName(name, [...owner.dimensions.keys(), ...owner.measures.keys()]);
    if (found !== undefined) return `${owner.entity.name}.${found}`;
  }
  return undefined;
}

function listFields({ owner }: EntityPlace): readonly string[] {
  return [...owner.dimensions.keys(), ...owner.measures.keys()];
}

function findBare(scope: Scope, name: NameSyntax): FieldUse | null {
  const found = scope.entities.flatMap((own) =>
    matchName(name, listFields(own.place)).map((field) => ({ own, field })),
  );
  const [only] = found;
  if (found.length > 1) {
    const all = found.map(({ own, field }) => `${own.name}.${field}`);
    throw new SqlRefusal(name, translationTexts.ambiguousColumn(name.text, all));
  }
  if (only !== undefined) return findField(scope.index, { entity: only.own.place.ref, field: only.field });
  return findReached(
    scope,
    scope.entities.map(({ place }) => place),
    name,
  );
}

/** The entity that qualifies a column: one of FROM, or any other, unless FROM calls that something else. */
function findQualifier(scope: Scope, names: readonly NameSyntax[]): EntityPlace {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0) {
    const matched = matchName(
      first,
      scope.entities.map(({ name }) => name),
    );
    const own = scope.entities.find(({ name }) => name === matched[0]);
    if (own !== undefined) return own.place;
  }
  const place = findEntity(scope, names);
  const aliased = scope.entities.find((own) => own.isAlias && own.place.ref === place.ref);
  if (aliased === undefined) return place;
  throw new SqlRefusal(coverNames(names), translationTexts.aliased(printNames(names), aliased.name));
}

function findIn(scope: Scope, place: EntityPlace, name: NameSyntax): FieldUse | null {
  const found = matchName(name, listFields(place));
  const [only] = found;
  if (only === undefined) return null;
  if (found.length === 1) return findField(scope.index, { entity: place.ref, field: only });
  const all = found.map((field) => `${place.ref}."${field}"`);
  throw new SqlRefusal(name, translationTexts.ambiguousColumn(name.text, all));
}

/**
 * The field that one quoted name with dots stands for: of an entity that others reach over to-one relationships, which
 * is so a column of theirs.
 */
function findReached(scope: Scope, places: readonly EntityPlace[], name: NameSyntax): FieldUse | null {
  const dot = name.text.lastIndexOf('.');
  const target = name.isQuoted && dot > 0 ? findPath(scope.index, name.text.slice(0, dot)) : undefined;
  if (target === undefined) return null;
  const field = name.text.slice(dot + 1);
  const [reached] = places.flatMap((from) => reach(scope, from, target, name) ?? []);
  if (reached === undefined) {
    const from = places.map(({ ref }) => ref);
    throw new SqlRefusal(name, translationTexts.notReached(name.text, from));
  }
  if (!listFields(reached).includes(field)) {
    const near = suggest(field, listFields(reached));
    throw new SqlRefusal(name, translationTexts.unknownField(field, target.ref, near));
  }
  return findField(scope.index, { entity: reached.ref, field });
}

/** The place that stands for a target seen from another one; null where no to-one relationships lead there. */
function reach(scope: Scope, from: EntityPlace, target: EntityPlace, name: NameSyntax): EntityPlace | null {
  if (target.steps.some(({ toMany }) => toMany)) return null;
  if (target.steps.length > 0) return target.start === from.owner ? extend(from, target.steps) : null;
  const path = findToOnePath(scope.index, from.owner, target.owner);
  if (path instanceof SemanticError) throw new SqlRefusal(name, path.message);
  if (path === null) return null;
  return from.steps.length === 0 ? target : extend(from, path);
}
