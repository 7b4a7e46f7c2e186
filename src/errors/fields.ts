import { isRecord } from '../invariants/narrow.ts';
import { ServiceError } from './service-error.ts';

/** The maximum length of a name in code points: of items, connections, users, groups, tokens, and e-mail addresses. */
export const MAX_NAME_LENGTH = 255;

/** The fields of a body, or the parameters of a query. */
export type Fields = Readonly<Record<string, unknown>>;

/** Errors of fields; `field` starts the message (docs/reference/http-api.md#formats). */
export const fieldErrors = {
  bodyMustBeObject: () => new ServiceError(400, 'body_not_an_object', 'Body must be a JSON object'),
  required: (field: string) => new ServiceError(400, 'field_required', `${field} is required`),
  mustBeString: (field: string) => new ServiceError(400, 'field_not_a_string', `${field} must be a string`),
  mustBeFlag: (field: string) =>
    new ServiceError(400, 'field_not_a_boolean', `${field} must be true or false`),
  mustBeList: (field: string) => new ServiceError(400, 'field_not_a_list', `${field} must be a list`),
  mustBeStrings: (field: string) =>
    new ServiceError(400, 'field_not_a_list_of_strings', `${field} must be a list of strings`),
  mustBeTime: (field: string) =>
    new ServiceError(
      400,
      'field_not_a_time',
      `${field} must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z`,
    ),
  mustBeCount: (field: string) =>
    new ServiceError(400, 'field_not_a_count', `${field} must be a whole number`),
  notOneOf: (field: string, known: readonly string[]) =>
    new ServiceError(400, 'field_not_one_of', `${field} must be one of ${known.join(', ')}`),
  /** `reason` completes a sentence that starts with the field. */
  invalid: (field: string, reason: string) => new ServiceError(400, 'field_invalid', `${field} ${reason}`),
  limitOutOfRange: (max: number) =>
    new ServiceError(400, 'limit_out_of_range', `Limit must be between 1 and ${max}`),
};

// Each reader below returns null for an absent field; `label` is the field's name in messages. Throws 400.

/** The fields of a body; empty without a body. Throws 400 for a body that is not an object. */
export function toFields(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (!isRecord(body)) throw fieldErrors.bodyMustBeObject();
  return body;
}

/** Like `toFields`, but requires a body; it may be empty. */
export function getFields(body: unknown): Fields {
  if (body === undefined || body === null) throw fieldErrors.bodyMustBeObject();
  return toFields(body);
}

/** Reads an optional string. */
export function readString(fields: Fields, key: string, label: string): string | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw fieldErrors.mustBeString(label);
  return value;
}

/**
 * Whether a string has more than `limit` bytes in UTF-8. A UTF-16 unit has one to three bytes, so most strings need no
 * count.
 */
export function exceedsBytes(text: string, limit: number): boolean {
  return text.length > limit || (text.length * 3 > limit && Buffer.byteLength(text) > limit);
}

/** Reads a required string that is not empty. */
export function getString(fields: Fields, key: string, label: string): string {
  const value = readString(fields, key, label);
  if (value === undefined || value === '') throw fieldErrors.required(label);
  return value;
}

/** Reads an optional boolean. */
export function readFlag(fields: Fields, key: string, label: string): boolean | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw fieldErrors.mustBeFlag(label);
  return value;
}

/** Reads an optional boolean of a query, written `true` or `false`. */
export function readSwitch(fields: Fields, key: string, label: string): boolean | undefined {
  const text = fields[key] ?? undefined;
  if (text !== undefined && text !== 'true' && text !== 'false') throw fieldErrors.mustBeFlag(label);
  return text === undefined ? undefined : text === 'true';
}

/** Reads a required list of strings that is not empty. */
export function getStrings(fields: Fields, key: string, label: string): readonly string[] {
  const value = readStrings(fields, key, label) ?? [];
  if (value.length === 0) throw fieldErrors.required(label);
  return value;
}

/** Reads an optional list of strings. */
export function readStrings(fields: Fields, key: string, label: string): readonly string[] | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((text) => typeof text !== 'string')) {
    throw fieldErrors.mustBeStrings(label);
  }
  return value;
}

/** Reads a parameter of a query that can be repeated. */
export function readRepeated(fields: Fields, key: string, label: string): readonly string[] {
  const value = fields[key] ?? [];
  return typeof value === 'string' ? [value] : (readStrings({ [key]: value }, key, label) ?? []);
}

/** Reads an optional number of a query, a whole number from 0 in digits. */
export function readCount(fields: Fields, key: string, label: string): number | undefined {
  const text = fields[key] ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw fieldErrors.mustBeCount(label);
  return Number(text);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads an optional time, or the start of a day (UTC), in ISO 8601. */
export function readTimeField(fields: Fields, key: string, label: string): Date | undefined {
  const text = readString(fields, key, label);
  if (text === undefined) return undefined;
  const day = DAY.test(text) ? text : MOMENT.exec(text)?.[1];
  const time = new Date(text);
  if (day === undefined || !isDay(day) || Number.isNaN(time.getTime())) throw fieldErrors.mustBeTime(label);
  return time;
}

/** A date that does not exist is invalid, or becomes another date. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
