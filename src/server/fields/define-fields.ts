import { type TObject, type TObjectOptions, type TSchema, Type } from 'typebox';
import { type Fields, getFields, toFields } from '../../errors/fields.ts';

/** A field of a body, or a query parameter: its schema and its parser. */
export interface Field<T> {
  /** Optional if the field can be absent. */
  readonly schema: TSchema;
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

/** A body or a query whose fields are declared once. Unknown fields are ignored. */
export interface FieldSet<D extends Declared> {
  /** For the OpenAPI document. */
  readonly schema: TObject;
  /** Without a body, all fields are absent. Throws 400. */
  readonly read: (given: unknown) => FieldValues<D>;
  /** As `read`, for updates: the body is required, but can be empty (`{}`). */
  readonly readChange: (given: unknown) => FieldValues<D>;
}

/** Declares the fields of a body or a query. `options` are those of the schema. */
export function defineFields<D extends Declared>(declared: D, options: TObjectOptions = {}): FieldSet<D> {
  const names = Object.keys(declared).map((name) => [name, toCamel(name)] as const);
  const readAll = (fields: Fields) =>
    Object.fromEntries(
      names.map(([name, key]) => [key, declared[name]?.read(fields, name)]),
    ) as FieldValues<D>;
  const properties = Object.entries(declared).map(([name, { schema }]) => [name, schema]);
  return {
    schema: Type.Object(Object.fromEntries(properties), options),
    read: (given) => readAll(toFields(given)),
    readChange: (given) => readAll(getFields(given)),
  };
}

/** An object field with its own fields; without it, all of them are absent. */
export function group<D extends Declared>(declared: D): Field<FieldValues<D>> {
  const { schema, read } = defineFields(declared);
  return { schema: Type.Optional(schema), read: (fields, key) => read(fields[key]) };
}

function toCamel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
