import { serverErrors } from '../errors.ts';

/** The fields of a body, or the parameters of a query. */
export type Fields = Readonly<Record<string, unknown>>;

// Each reader below takes null for an absent field, and `label` for the field's name in messages. Throws 400.

/** A body's fields; none for no body. Throws 400 for a body that is no object. */
export function toFields(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw serverErrors.bodyMustBeObject();
  return body as Fields;
}

/** A text that may be left out. */
export function readString(fields: Fields, key: string, label: string): string | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw serverErrors.mustBeString(label);
  return value;
}

/** A text that must be there, and not be empty. */
export function getString(fields: Fields, key: string, label: string): string {
  const value = readString(fields, key, label);
  if (value === undefined || value === '') throw serverErrors.required(label);
  return value;
}

/** A switch that may be left out. */
export function readFlag(fields: Fields, key: string, label: string): boolean | undefined {
  const value = fields[key] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw serverErrors.mustBeFlag(label);
  return value;
}

/** A switch of a query, `true` or `false` in letters, that may be left out. */
export function readSwitch(fields: Fields, key: string, label: string): boolean | undefined {
  const text = fields[key] ?? undefined;
  if (text !== undefined && text !== 'true' && text !== 'false') throw serverErrors.mustBeFlag(label);
  return text === undefined ? undefined : text === 'true';
}

/** A list of texts that must be there, and not be empty. */
export function getStrings(fields: Fields, key: string, label: string): readonly string[] {
  const value = fields[key] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw serverErrors.mustBeStrings(label);
  }
  if (value.length === 0) throw serverErrors.required(label);
  return value;
}

/** A whole number, from 0, in digits, that may be left out. */
export function readCount(fields: Fields, key: string, label: string): number | undefined {
  const text = fields[key] ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw serverErrors.mustBeCount(label);
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
  if (day === undefined || !isDay(day) || Number.isNaN(time.getTime())) throw serverErrors.mustBeTime(label);
  return time;
}

/** A day that its month does not have becomes another one, or none. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
