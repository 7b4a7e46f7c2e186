import {
  type TArray,
  type TBoolean,
  type TInteger,
  type TOptional,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox';
import {
  type Fields,
  fieldErrors,
  getString,
  getStrings,
  readCount,
  readFlag,
  readRepeated,
  readString,
  readStrings,
  readSwitch,
  readTimeField,
} from '../../errors/fields.ts';
import type { Field } from './define-fields.ts';
import { createTime } from './text-schemas.ts';

// The kinds of fields. `label` is the field's name in messages (docs/reference/http-api.md#formats).

/** An optional string. */
export function text<Schema extends TSchema>(
  label: string,
  schema: Schema,
): Field<string | undefined, ReturnType<typeof Type.Optional<Schema>>> {
  return { schema: Type.Optional(schema), read: (fields, key) => readString(fields, key, label) };
}

/** As `text`; an empty string counts as absent. */
export function filledText<Schema extends TSchema>(
  label: string,
  schema: Schema,
): Field<string | undefined, ReturnType<typeof Type.Optional<Schema>>> {
  return {
    schema: Type.Optional(schema),
    read: (fields, key) => readString(fields, key, label) || undefined,
  };
}

/** A required string that is not empty. */
export function requiredText<Schema extends TSchema>(label: string, schema: Schema): Field<string, Schema> {
  return { schema, read: (fields, key) => getString(fields, key, label) };
}

/** A required string; a room reports a missing one. */
export function expectedText<Schema extends TSchema>(
  label: string,
  schema: Schema,
): Field<string | undefined, Schema> {
  return { schema, read: (fields, key) => readString(fields, key, label) };
}

/** One of some strings, or none. */
export function choice<Value extends string>(
  label: string,
  values: readonly Value[],
  description: string,
  createError = () => fieldErrors.notOneOf(label, values),
): Field<Value | undefined, ReturnType<typeof Type.Optional<TUnsafe<Value>>>> {
  return {
    schema: Type.Optional(Type.Unsafe<Value>({ type: 'string', enum: [...values], description })),
    read(fields, key) {
      const name = readString(fields, key, label);
      if (name === undefined) return undefined;
      const value = values.find((known) => known === name);
      if (value === undefined) throw createError();
      return value;
    },
  };
}

/** An optional string; null clears it. */
export function nullableText(
  label: string,
  options: TSchemaOptions,
): Field<string | null | undefined, TOptional<TUnsafe<string | null>>> {
  return {
    schema: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })),
    read: (fields, key) => (fields[key] === null ? null : readString(fields, key, label)),
  };
}

/** A required list of strings that is not empty. */
export function requiredTexts(
  label: string,
  options: TSchemaOptions,
): Field<readonly string[], TArray<TString>> {
  const schema = Type.Array(Type.String(), { minItems: 1, ...options });
  return { schema, read: (fields, key) => getStrings(fields, key, label) };
}

/** An optional list of strings; an empty one counts as absent. */
export function texts(
  label: string,
  options: TSchemaOptions,
): Field<readonly string[] | undefined, TOptional<TArray<TString>>> {
  return {
    schema: Type.Optional(Type.Array(Type.String(), options)),
    read: (fields, key) => {
      const values = readStrings(fields, key, label);
      return values?.length === 0 ? undefined : values;
    },
  };
}

/** A required parameter of a query that can be repeated. */
export function requiredQueryTexts<Schema extends TSchema>(
  label: string,
  schema: Schema,
  options: TSchemaOptions,
): Field<readonly string[], TArray<Schema>> {
  return {
    schema: Type.Array(schema, { minItems: 1, ...options }),
    read: (fields, key) => readRepeated(fields, key, label),
  };
}

/** An optional boolean of a body. */
export function flag(
  label: string,
  options: TSchemaOptions = {},
): Field<boolean | undefined, TOptional<TBoolean>> {
  return {
    schema: Type.Optional(Type.Boolean(options)),
    read: (fields, key) => readFlag(fields, key, label),
  };
}

/** A boolean of a query; defaults to false. */
export function querySwitch(label: string, description: string): Field<boolean> {
  const schema = Type.Unsafe<'true' | 'false'>({
    type: 'string',
    enum: ['true', 'false'],
    description: `${description}. Defaults to false`,
  });
  return { schema: Type.Optional(schema), read: (fields, key) => readSwitch(fields, key, label) ?? false };
}

/** An optional integer of a query, 0 or greater. */
export function queryCount(label: string, options: TSchemaOptions): Field<number | undefined> {
  return {
    schema: Type.Optional(Type.Integer(options)),
    read: (fields, key) => readCount(fields, key, label),
  };
}

/** As `queryCount`, but required. */
export function requiredQueryCount(label: string, options: TSchemaOptions): Field<number> {
  return {
    schema: Type.Integer(options),
    read: (fields, key) => requireValue(readCount(fields, key, label), label),
  };
}

/** A required integer of a body. */
export function requiredCount(label: string, options: TSchemaOptions): Field<number, TInteger> {
  return {
    schema: Type.Integer(options),
    read: (fields, key) => requireValue(readInteger(fields, key, label), label),
  };
}

/** An optional integer of a body. */
export function wholeNumber(
  label: string,
  options: TSchemaOptions,
): Field<number | undefined, TOptional<TInteger>> {
  return {
    schema: Type.Optional(Type.Integer(options)),
    read: (fields, key) => readInteger(fields, key, label),
  };
}

/** An optional time, or a date, which means the start of that day (UTC). */
export function time(
  label: string,
  description: string,
): Field<Date | undefined, TOptional<TUnsafe<string>>> {
  return {
    schema: Type.Optional(createTime(description)),
    read: (fields, key) => readTimeField(fields, key, label),
  };
}

/** An optional time, date (start of day, UTC), or `never`, which becomes null. */
export function timeOrNever(
  label: string,
  description: string,
): Field<Date | null | undefined, TOptional<TUnsafe<string>>> {
  return {
    schema: Type.Optional(createTime(description, ['never'])),
    read: (fields, key) => (fields[key] === 'never' ? null : readTimeField(fields, key, label)),
  };
}

function requireValue<Value>(value: Value | undefined, label: string): Value {
  if (value === undefined) throw fieldErrors.required(label);
  return value;
}

function readInteger(fields: Fields, key: string, label: string): number | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fieldErrors.mustBeCount(label);
  return value;
}
