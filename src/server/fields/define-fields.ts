import { type TObject, type TObjectOptions, type TOptional, type TSchema, Type } from 'typebox';
import { type Fields, getFields, toFields } from '../../errors/fields.ts';

/** A field of a body, or a query parameter: its schema and its parser. */
export interface Field<T, Schema extends TSchema = TSchema> {
  /** Optional if the field can be absent. */
  readonly schema: Schema;
  /** Throws 400 for an invalid value; null counts as absent. */
  readonly read: (fields: Fields, key: string) => T;
}

/** The fields by name, in the order of reading; the first invalid one is reported. */
type Declared = Readonly<Record<string, Field<unknown>>>;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The parsed values; `display_name` becomes `displayName`. */
export type FieldValues<D extends Declared> = {
  readonly [Name in keyof D as Camel<Name & string>]: D[Name] extends Field<infer T> ? T : never;
};

type Schemas<D extends Declared> = { readonly [Name in keyof D]: D[Name]['schema'] };

/** A body or a query whose fields are declared once. Unknown fields are ignored. */
export interface FieldSet<D extends Declared> {
  /** For the OpenAPI document, and the type of a body in the console. */
  readonly schema: TObject<Schemas<D>>;
  /** Without a body, all fields are absent. Throws 400. */
  readonly read: (input: unknown) => FieldValues<D>;
  /** As `read`, for updates: the body is required, but can be empty (`{}`). */
  readonly readChange: (input: unknown) => FieldValues<D>;
  /** As `read`, for a room that checks one field before it reads the next: a value is read when it is used. */
  readonly readOnUse: (input: unknown) => FieldValues<D>;
}

/** Declares the fields of a body or a query. `options` are those of the schema. */
export function defineFields<D extends Declared>(declared: D, options: TObjectOptions = {}): FieldSet<D> {
  const names = Object.keys(declared).map((name) => [name, toCamel(name)] as const);
  const readAll = (fields: Fields) =>
    Object.fromEntries(
      names.map(([name, key]) => [key, declared[name]?.read(fields, name)]),
    ) as FieldValues<D>;
  const schemas = Object.entries(declared).map(([name, { schema }]) => [name, schema]);
  return {
    schema: Type.Object(Object.fromEntries(schemas) as Schemas<D>, options),
    read: (input) => readAll(toFields(input)),
    readChange: (input) => readAll(getFields(input)),
    readOnUse(input) {
      const fields = toFields(input);
      const getters = names.map(([name, key]) => [key, () => declared[name]?.read(fields, name)] as const);
      return createLazy(getters) as FieldValues<D>;
    },
  };
}

/** An object whose values are read when they are used. */
export function createLazy<T>(
  getters: readonly (readonly [key: string, get: () => T])[],
): Readonly<Record<string, T>> {
  const properties = getters.map(([key, get]) => [key, { enumerable: true, get }] as const);
  return Object.defineProperties({}, Object.fromEntries(properties));
}

/** An object field with its own fields; without it, all of them are absent. */
export function group<D extends Declared>(
  declared: D,
): Field<FieldValues<D>, TOptional<TObject<Schemas<D>>>> {
  const { schema, read } = defineFields(declared);
  return { schema: Type.Optional(schema), read: (fields, key) => read(fields[key]) };
}

function toCamel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
