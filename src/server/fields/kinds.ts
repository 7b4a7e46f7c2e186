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

// The kinds of fields. `label` is the field's name in messages (interface 7).

/** A text that may be left out. */
export function text(label: string, schema: TSchema = Type.String()): Field<string | undefined> {
  return { schema: Type.Optional(schema), read: (fields, key) => readString(fields, key, label) };
}

/** As `text`; an empty one is none. */
export function filledText(label: string, schema: TSchema = Type.String()): Field<string | undefined> {
  return {
    schema: Type.Optional(schema),
    read: (fields, key) => readString(fields, key, label) || undefined,
  };
}

/** A text that must be there, and not be empty. */
export function requiredText(label: string, schema: TSchema = Type.String({ minLength: 1 })): Field<string> {
  return { schema, read: (fields, key) => getString(fields, key, label) };
}

/** A text that may be left out, which null takes away. */
export function nullableText(label: string, options: TSchemaOptions): Field<string | null | undefined> {
  return {
    schema: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })),
    read: (fields, key) => (fields[key] === null ? null : readString(fields, key, label)),
  };
}

/** A list of texts that must be there, and not be empty. */
export function requiredTexts(label: string, options: TSchemaOptions): Field<readonly string[]> {
  const schema = Type.Array(Type.String(), { minItems: 1, ...options });
  return { schema, read: (fields, key) => getStrings(fields, key, label) };
}

/** True or false in a body, that may be left out. */
export function flag(label: string, options: TSchemaOptions = {}): Field<boolean | undefined> {
  return {
    schema: Type.Optional(Type.Boolean(options)),
    read: (fields, key) => readFlag(fields, key, label),
  };
}

/** True or false in a query, false if left out. */
export function querySwitch(label: string, description: string): Field<boolean> {
  const schema = Type.Unsafe<'true' | 'false'>({
    type: 'string',
    enum: ['true', 'false'],
    description: `${description}; false if left out`,
  });
  return { schema: Type.Optional(schema), read: (fields, key) => readSwitch(fields, key, label) ?? false };
}

/** A whole number, from 0, in a query, that may be left out. */
export function queryCount(label: string, options: TSchemaOptions): Field<number | undefined> {
  return {
    schema: Type.Optional(Type.Integer(options)),
    read: (fields, key) => readCount(fields, key, label),
  };
}

/** A whole number in a body, that may be left out. */
export function wholeNumber(label: string, options: TSchemaOptions): Field<number | undefined> {
  return {
    schema: Type.Optional(Type.Integer(options)),
    read: (fields, key) => readInteger(fields, key, label),
  };
}

/** A moment, or the beginning of a day (UTC), that may be left out. */
export function time(label: string, description: string): Field<Date | undefined> {
  return {
    schema: Type.Optional(createTime(description)),
    read: (fields, key) => readTime(fields, key, label),
  };
}

/** A moment, the start of a day (UTC), or `never`, which is null; optional. */
export function timeOrNever(label: string, description: string): Field<Date | null | undefined> {
  return {
    schema: Type.Optional(createTime(description, ['never'])),
    read: (fields, key) => (fields[key] === 'never' ? null : readTime(fields, key, label)),
  };
}

function readInteger(fields: Fields, key: string, label: string): number | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fieldErrors.mustBeCount(label);
  return value;
}
