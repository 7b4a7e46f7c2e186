import { elementAt } from '../../invariants/must.ts';
import type { Ordering, ResolvedQuery, TypedExpression } from '../expression/expression.ts';
import { nameOutputs } from '../query/name-outputs.ts';
import { MAX_FIELDS } from '../query/query.ts';
import { ALL_ROWS, type Dialect } from '../sql/dialect.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type {
  ExpressionSyntax,
  ItemSyntax,
  NameSyntax,
  OrderSyntax,
  QuerySyntax,
  SelectSyntax,
  SyntaxOf,
} from '../syntax/syntax.ts';
import { translationTexts } from './messages/translation-texts.ts';
import { withPlace } from './messages/with-place.ts';
import type { EntityScope } from './names/entity-scope.ts';
import { findColumn, findStarred } from './names/scope.ts';
import { isMeasureCall } from './values/aggregates.ts';

/** A result column: its value and its name. */
export interface NamedItem {
  readonly value: ExpressionSyntax;
  /** As written; null without an alias. */
  readonly alias: NameSyntax | null;
  readonly name: string;
}

/** The scope of the columns of a SELECT. */
interface ItemScope {
  readonly dialect: Dialect;
  /** The names of the columns that a star expands to. */
  readonly listStarred: (star: SyntaxOf<'star'>) => readonly (readonly string[])[];
  /** The name of the column that names refer to; null to keep the written name. */
  readonly nameColumn: (names: readonly NameSyntax[]) => string | null;
}

/** The columns of a SELECT, with stars expanded. Throws a SemanticSqlError. */
export function listItems(scope: ItemScope, { items }: SelectSyntax): readonly NamedItem[] {
  const { dialect } = scope;
  const all = items.flatMap((item) => expand(scope, item));
  const taken = new Set(all.flatMap(({ alias }) => alias?.text.toLowerCase() ?? []));
  if (all.length > MAX_FIELDS) {
    throw new SemanticSqlError(elementAt(all, MAX_FIELDS).value, translationTexts.tooManyColumns(MAX_FIELDS));
  }
  const aliases = new Set<string>();
  for (const { value, alias } of all) {
    if (alias === null) continue;
    if (aliases.has(alias.text.toLowerCase()))
      throw new SemanticSqlError(value, translationTexts.aliasTwice(alias.text));
    aliases.add(alias.text.toLowerCase());
    withPlace(value, () => nameOutputs([{ entity: '', field: '', alias: alias.text }], dialect));
  }
  return all.map(({ value, alias }) => {
    return { value, alias, name: alias?.text ?? findFree(nameColumn(scope, value), taken, dialect) };
  });
}

function nameColumn(scope: ItemScope, value: ExpressionSyntax): string {
  const written = nameItem(value);
  return value.kind === 'column' ? (scope.nameColumn(value.names) ?? written) : written;
}

/** A name that is unique among the columns and valid in the dialect. */
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

function expand(scope: ItemScope, { value, alias }: ItemSyntax): readonly Omit<NamedItem, 'name'>[] {
  if (value.kind !== 'star') return [{ value, alias }];
  const { start, end } = value;
  const toName = (text: string): NameSyntax => ({ text, isQuoted: true, start, end });
  return scope.listStarred(value).map((names) => {
    return { value: { kind: 'column', names: names.map(toName), start, end }, alias: null };
  });
}

/** Expands a star to the visible dimensions of entities and the columns of views. */
export function listStarred(scope: EntityScope, star: SyntaxOf<'star'>): readonly (readonly string[])[] {
  const { entities, views } = findStarred(scope, star);
  return [
    ...entities.flatMap(({ name, place }) =>
      [...place.owner.dimensions.keys()].map((field) => [name, field]),
    ),
    ...views.flatMap(({ name, columns }) => columns.map((column) => [name, column.name])),
  ];
}

/** The name of an entity's column: as in the model or the view; a quoted name stays as written. */
export function nameField(scope: EntityScope, names: readonly NameSyntax[]): string | null {
  const use = findColumn(scope, names);
  const written = elementAt(names, -1).text;
  if (use === null || written.includes('.')) return null;
  const isRenamed = scope.views.some(({ columns }) => columns.some((column) => column.use === use));
  if (isRenamed) return written;
  return use.kind === 'measure' ? use.measure.name : use.field.dimension.name;
}

/** The result column with a number. Throws a SemanticSqlError. */
export function findOrdinal(
  syntax: SyntaxOf<'literal'>,
  items: readonly NamedItem[],
  clause: string,
): NamedItem {
  const item = items[Number(syntax.text) - 1];
  if (item === undefined) throw new SemanticSqlError(syntax, translationTexts.ordinal(clause, items.length));
  return item;
}

/** Finds the item whose alias is a bare name; an unquoted name matches in any case. */
export function findAlias(syntax: ExpressionSyntax, items: readonly NamedItem[]): NamedItem | undefined {
  const [name, ...others] = syntax.kind === 'column' ? syntax.names : [];
  if (name === undefined || others.length > 0) return undefined;
  const isNamed = ({ alias }: NamedItem) =>
    alias !== null && (name.isQuoted ? alias.text === name.text : alias.text.toLowerCase() === name.text);
  return items.find(isNamed);
}

/**
 * The item that ORDER BY names: by ordinal, or by alias before anything else; null for another expression. Throws a
 * SemanticSqlError.
 */
export function findOrdered({ value }: OrderSyntax, items: readonly NamedItem[]): NamedItem | null {
  const isOrdinal = value.kind === 'literal' && value.type === 'integer';
  return isOrdinal ? findOrdinal(value, items, 'ORDER BY') : (findAlias(value, items) ?? null);
}

/** Reads an order by a result column, or by another expression, which `translate` translates. Throws a SemanticSqlError. */
export function readOrdering<Field>(
  order: OrderSyntax,
  items: readonly NamedItem[],
  values: readonly TypedExpression<Field>[],
  translate: (syntax: ExpressionSyntax) => TypedExpression<Field>,
): Ordering<Field> {
  const item = findOrdered(order, items);
  const value = item === null ? translate(order.value) : elementAt(values, items.indexOf(item));
  return { value, desc: order.isDescending, nullsFirst: order.nulls === 'first' };
}

/** The row limit of an ordered result; null for all rows. */
export function readLimit({ limit, offset }: QuerySyntax): ResolvedQuery['limit'] {
  if (limit === null && offset === 0) return null;
  return { fetch: limit ?? ALL_ROWS, skip: offset };
}

/** PostgreSQL's name for a column without an alias; MEASURE(m) is named like m. */
function nameItem(value: ExpressionSyntax): string {
  return findName(value) ?? '?column?';
}

function findName(value: ExpressionSyntax): string | null {
  switch (value.kind) {
    case 'column':
      return elementAt(value.names, -1).text;
    case 'call': {
      const [arg] = value.args;
      return isMeasureCall(value) && arg !== undefined ? findName(arg) : value.name.text;
    }
    case 'cast':
      return findName(value.operand) ?? value.type.name;
    case 'case':
      return (value.otherwise && findName(value.otherwise)) ?? 'case';
    case 'exists':
      return 'exists';
    default:
      return null;
  }
}
