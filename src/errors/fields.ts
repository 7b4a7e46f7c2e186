import { isRecord } from '../invariants/narrow.ts';
import { ServiceError } from './service-error.ts';

/** The fields of a body, or the parameters of a query. */
export type Fields = Readonly<Record<string, unknown>>;

/** Refusals of fields; `field` begins the message (interface 7; catalog 6). */
export const fieldErrors = {
  bodyMustBeObject: () => new ServiceError(400, 'body_not_an_object', 'Body must be a JSON object'),
  required: (field: string) => new ServiceError(400, 'field_required', `${field} is required`),
  mustBeString: (field: string) => new ServiceError(400, 'field_not_a_string', `${field} must be a string`),
  mustBeFlag: (field: string) =>
    new ServiceError(400, 'field_not_a_boolean', `${field} must be true or false`),
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
};

// Each reader below takes null for an absent field, and `label` for the field's name in messages. Throws 400.

/** A body's fields; none for no body. Throws 400 for a body that is no object. */
export function toFields(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (!isRecord(body)) throw fieldErrors.bodyMustBeObject();
  return body;
}

/** As `toFields`, for a change that may have no fields, but is a body. */
export function getFields(body: unknown): Fields {
  if (body === undefined || body === null) throw fieldErrors.bodyMustBeObject();
  return toFields(body);
}

/** A text that may be left out. */
export function readString(fields: Fields, key: string, label: string): string | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw fieldErrors.mustBeString(label);
  return value;
}

/** Whether a text has more bytes of UTF-8 than `limit`. A UTF-16 unit has one to three, so few texts need a count. */
export function exceedsBytes(text: string, limit: number): boolean {
  return text.length > limit || (text.length * 3 > limit && Buffer.byteLength(text) > limit);
}

/** A text that must be there, and not be empty. */
export function getString(fields: Fields, key: string, label: string): string {
  const value = readString(fields, key, label);
  if (value === undefined || value === '') throw fieldErrors.required(label);
  return value;
}

/** A switch that may be left out. */
export function readFlag(fields: Fields, key: string, label: string): boolean | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw fieldErrors.mustBeFlag(label);
  return value;
}

/** A switch of a query, `true` or `false` in letters, that may be left out. */
export function readSwitch(fields: Fields, key: string, label: string): boolean | undefined {
  const text = fields[key] ?? undefined;
  if (text !== undefined && text !== 'true' && text !== 'false') throw fieldErrors.mustBeFlag(label);
  return text === undefined ? undefined : text === 'true';
}

/** A list of texts that must be there, and not be empty. */
export function getStrings(fields: Fields, key: string, label: string): readonly string[] {
  const value = fields[key] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw fieldErrors.mustBeStrings(label);
  }
  if (value.length === 0) throw fieldErrors.required(label);
  return value;
}

/** A whole number, from 0, in digits, that may be left out. */
export function readCount(fields: Fields, key: string, label: string): number | undefined {
  const text = fields[key] ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw fieldErrors.mustBeCount(label);
  return Number(text);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A moment, or the beginning of a day (UTC), in ISO 8601, that may be left out. */
export function readTime(fields: Fields, key: string, label: string): Date | undefined {
  const text = readString(fields, key, label);
  if (text === undefined) return undefined;
  const day = DAY.test(text) ? text : MOMENT.exec(text)?.[1];
  const time = new Date(text);
  if (day === undefined || !isDay(day) || Number.isNaN(time.getTime())) throw fieldErrors.mustBeTime(label);
  return time;
}

/** A day that its month does not have becomes another one, or none. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
