import { elementAt } from '../../invariants/must.ts';
import { nameOutputs } from '../query/name-outputs.ts';
import { MAX_FIELDS } from '../query/query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { SqlRefusal } from '../syntax/sql-refusal.ts';
import type { ExpressionSyntax, ItemSyntax, NameSyntax, SelectSyntax } from '../syntax/syntax.ts';
import type { EntityPlace } from './find-entity.ts';
import { nameItem } from './name-item.ts';
import { findColumn, findStarred, type Scope } from './scope.ts';
import { translationTexts } from './translation-texts.ts';
import { withPlace } from './with-place.ts';

/** A column of the answer: its value, and what it is called. */
export interface NamedItem {
  readonly value: ExpressionSyntax;
  /** As it is written; null for none. */
  readonly alias: NameSyntax | null;
  readonly name: string;
}

/** The columns of a SELECT, with those for which stars stand. Throws a SqlRefusal. */
export function listItems(scope: Scope, { items }: SelectSyntax, dialect: Dialect): readonly NamedItem[] {
  const all = items.flatMap((item) => expand(scope, item));
  const taken = new Set(all.flatMap(({ alias }) => alias?.text.toLowerCase() ?? []));
  if (all.length > MAX_FIELDS) {
    throw new SqlRefusal(elementAt(all, MAX_FIELDS).value, translationTexts.tooManyColumns(MAX_FIELDS));
  }
  const aliases = new Set<string>();
  for (const { value, alias } of all) {
    if (alias === null) continue;
    if (aliases.has(alias.text.toLowerCase()))
      throw new SqlRefusal(value, translationTexts.aliasTwice(alias.text));
    aliases.add(alias.text.toLowerCase());
    withPlace(value, () => nameOutputs([{ entity: '', field: '', alias: alias.text }], dialect));
  }
  return all.map(({ value, alias }) => {
    return { value, alias, name: alias?.text ?? findFree(nameColumn(scope, value), taken, dialect) };
  });
}

/** A field is called as the model has it; what is written in quotes, as it is written. */
function nameColumn(scope: Scope, value: ExpressionSyntax): string {
  if (value.kind !== 'column') return nameItem(value);
  const use = findColumn(scope, value.names);
  const written = nameItem(value);
  if (use === null || written.includes('.')) return written;
  return use.kind === 'measure' ? use.measure.name : use.field.dimension.name;
}

/** A name that no other column has, and that the dialect takes. */
function findFree(name: string, taken: Set<string>, { forbiddenInNames }: Dialect): string {
  const plain = forbiddenInNames === null ? name : replaceAll(name, forbiddenInNames);
  let free = plain;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${plain}_${count}`;
  taken.add(free.toLowerCase());
  return free;
}

function replaceAll(name: string, { source, flags }: RegExp): string {
  return name.replaceAll(new RegExp(source, `${flags.replace('g', '')}g`), '_');
}

function expand(scope: Scope, { value, alias }: ItemSyntax): readonly Omit<NamedItem, 'name'>[] {
  if (value.kind !== 'star') return [{ value, alias }];
  return findStarred(scope, value).flatMap((place) => listDimensions(scope, place, value));
}

/** The visible dimensions of an entity, as columns that are written where the star is. */
function listDimensions(
  scope: Scope,
  place: EntityPlace,
  { start, end }: ExpressionSyntax,
): readonly Omit<NamedItem, 'name'>[] {
  const own = scope.entities.find((entity) => entity.place === place);
  const toName = (text: string): NameSyntax => ({ text, isQuoted: true, start, end });
  return [...place.owner.dimensions.keys()].map((name) => {
    const names = own === undefined ? [toName(place.ref), toName(name)] : [toName(own.name), toName(name)];
    return { value: { kind: 'column', names, start, end }, alias: null };
  });
}
