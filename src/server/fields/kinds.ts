import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import {
  type Fields,
  fieldErrors,
  getString,
  getStrings,
  readCount,
  readFlag,
  readString,
  readSwitch,
  readTime,
} from '../../errors/fields.ts';
import type { Field } from './define-fields.ts';
import { createTime } from './text-schemas.ts';

// The kinds of fields. `label` is the field's name in messages (docs/reference/http-api.md#formats).

/** An optional string. */
export function text(label: string, schema: TSchema = Type.String()): Field<string | undefined> {
  return { schema: Type.Optional(schema), read: (fields, key) => readString(fields, key, label) };
}

/** As `text`; an empty string counts as absent. */
export function filledText(label: string, schema: TSchema = Type.String()): Field<string | undefined> {
  return {
    schema: Type.Optional(schema),
    read: (fields, key) => readString(fields, key, label) || undefined,
  };
}

/** A required string that is not empty. */
export function requiredText(label: string, schema: TSchema = Type.String({ minLength: 1 })): Field<string> {
  return { schema, read: (fields, key) => getString(fields, key, label) };
}

/** An optional string; null clears it. */
export function nullableText(label: string, options: TSchemaOptions): Field<string | null | undefined> {
  return {
    schema: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })),
    read: (fields, key) => (fields[key] === null ? null : readString(fields, key, label)),
  };
}

/** A required list of strings that is not empty. */
export function requiredTexts(label: string, options: TSchemaOptions): Field<readonly string[]> {
  const schema = Type.Array(Type.String(), { minItems: 1, ...options });
  return { schema, read: (fields, key) => getStrings(fields, key, label) };
}

/** An optional boolean of a body. */
export function flag(label: string, options: TSchemaOptions = {}): Field<boolean | undefined> {
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
export function requiredCount(label: string, options: TSchemaOptions): Field<number> {
  return {
    schema: Type.Integer(options),
    read: (fields, key) => requireValue(readInteger(fields, key, label), label),
  };
}

/** An optional integer of a body. */
export function wholeNumber(label: string, options: TSchemaOptions): Field<number | undefined> {
  return {
    schema: Type.Optional(Type.Integer(options)),
    read: (fields, key) => readInteger(fields, key, label),
  };
}

/** An optional time, or a date, which means the start of that day (UTC). */
export function time(label: string, description: string): Field<Date | undefined> {
  return {
    schema: Type.Optional(createTime(description)),
    read: (fields, key) => readTime(fields, key, label),
  };
}

/** An optional time, date (start of day, UTC), or `never`, which becomes null. */
export function timeOrNever(label: string, description: string): Field<Date | null | undefined> {
  return {
    schema: Type.Optional(createTime(description, ['never'])),
    read: (fields, key) => (fields[key] === 'never' ? null : readTime(fields, key, label)),
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
