import type { ColumnType, ColumnValue, NamedType } from './column.ts';
import { createPlainText } from './plain-text.ts';

type Print = (value: Exclude<ColumnValue, null>) => string;
type PrintNullable = (value: ColumnValue) => string;
type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;

/** Creates a printer for values of this type, nested or not, with the same result as `::VARCHAR` in DuckDB. */
export function createNestedText(type: ColumnType): Print {
  switch (type.kind) {
    case 'list':
      return createListText(type);
    case 'struct':
      return createStructText(type.fields);
    case 'map':
      return createMapText(type);
    case 'union':
      return createUnionText(type.members);
    case 'variant':
      return (value) => {
        const { type: innerType, value: inner } = value as {
          type: ColumnType;
          value: Exclude<ColumnValue, null>;
        };
        return createNestedText(innerType)(inner);
      };
    default:
      return createPlainText(type);
  }
}

/** `[a, b]`; DuckDB does not quote elements of a fixed-size list, and JSON in any list. */
function createListText({ element, size }: KindOf<'list'>): Print {
  const print = size === undefined && element.kind !== 'json' ? createPart(element) : createBarePart(element);
  return (value) => `[${(value as readonly ColumnValue[]).map(print).join(', ')}]`;
}

/** `{'a': 1}`, or `(1, 2)` if the fields have no names. */
function createStructText(fields: readonly NamedType[]): Print {
  const prints = fields.map(({ type }) => createPart(type));
  const printAll = (value: ColumnValue) =>
    (value as readonly ColumnValue[]).map((field, i) => prints[i]!(field));
  if (fields[0]?.name === '') return (value) => `(${printAll(value).join(', ')})`;
  const keys = fields.map(({ name }) => quote(name));
  return (value) =>
    `{${printAll(value)
      .map((text, i) => `${keys[i]}: ${text}`)
      .join(', ')}}`;
}

/** `{a=1, b=2}`. */
function createMapText({ key, value }: KindOf<'map'>): Print {
  const [printKey, printValue] = [createPart(key), createPart(value)];
  return (pairs) => {
    const texts = (pairs as readonly (readonly ColumnValue[])[]).map(
      ([k, v]) => `${printKey(k!)}=${printValue(v!)}`,
    );
    return `{${texts.join(', ')}}`;
  };
}

/** Prints the value of the member. */
function createUnionText(members: readonly NamedType[]): Print {
  const prints = members.map(({ type }) => createBarePart(type));
  return (value) => {
    const { member, value: inner } = value as { member: number; value: ColumnValue };
    return prints[member]!(inner);
  };
}

const NESTED: ReadonlySet<ColumnType['kind']> = new Set(['list', 'struct', 'map', 'union', 'variant']);

/** The text of a part of a nested value: in quotes if it is ambiguous, unless it is nested itself. */
function createPart(type: ColumnType): PrintNullable {
  const print = createBarePart(type);
  if (NESTED.has(type.kind)) return print;
  return (value) => {
    const text = print(value);
    return value !== null && isMisleading(text) ? quote(text) : text;
  };
}

function createBarePart(type: ColumnType): PrintNullable {
  const print = createNestedText(type);
  return (value) => (value === null ? 'NULL' : print(value));
}

function isMisleading(text: string): boolean {
  return text === '' || /^null$/i.test(text) || /^[\t-\r ]|[\t-\r ]$|["'(),:=[\]{}]/.test(text);
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
