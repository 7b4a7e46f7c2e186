import path from 'node:path';
import type { KindDefinition, OptionDefinition } from '../engine/connection/contract/kind.ts';
import { type Fields, getFields, MAX_NAME_LENGTH } from '../errors/fields.ts';
import { isRecord } from '../invariants/narrow.ts';
import { connectionErrors } from './errors.ts';
import { findKind, listKinds } from './record.ts';

/** A validated body that creates or replaces a connection. */
export interface NewConnection {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** Options; their paths are absolute. */
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly overrides: readonly string[] | null;
  readonly timeoutMs: number | null;
  readonly maxSessions: number | null;
}

/** Maximum lengths in code points, and maximum numbers. */
const LIMITS = {
  name: MAX_NAME_LENGTH,
  description: 4_000,
  option: 4_096,
  secret: 16_384,
  /** A week: timers count milliseconds in 31 bits. */
  timeoutMs: 7 * 24 * 3_600_000,
  sessions: 1_000,
} as const;

/**
 * Checks a body: `name`, `kind`, `options`, `secrets`, `allowed_overrides`, `timeout_ms`, `max_sessions`,
 * `description`. Null means absent; unknown fields are ignored. `folder` is the base of relative paths; without it,
 * paths must be absolute. Throws 400; no message contains a secret.
 */
export function checkNewConnection(body: unknown, folder: string | undefined): NewConnection {
  const fields = getFields(body);
  const name = readName(fields);
  const kind = readKind(fields);
  const options = readTexts(fields, 'options', 'Options');
  const secrets = readTexts(fields, 'secrets', 'Secrets');
  const checked = mapValues(options, (key, value) => checkOption(kind, key, value, folder));
  const checkedSecrets = mapValues(secrets, (key, value) => checkSecret(kind, key, value));
  checkRequired(kind, { ...options, ...secrets });
  return {
    name,
    kind: kind.kind,
    options: checked,
    secrets: checkedSecrets,
    overrides: readOverrides(fields, kind),
    timeoutMs: readWhole(fields, 'timeout_ms', 'Timeout', LIMITS.timeoutMs),
    maxSessions: readWhole(fields, 'max_sessions', 'Number of sessions', LIMITS.sessions),
    description: readText(fields, 'description', 'Description', LIMITS.description) ?? '',
  };
}

/** Checks the value of an option or an override; `subject` starts the message. Throws 400. */
export function checkValue(value: unknown, subject: string, limit: number = LIMITS.option): string {
  const refuse = (reason: string) => connectionErrors.fieldRefused(subject, reason);
  if (typeof value !== 'string') throw refuse('must be a string');
  if (value === '') throw refuse('must not be empty');
  if (value.length > limit && [...value].length > limit) throw refuse(`exceeds ${limit} characters`);
  if (!value.isWellFormed()) throw refuse('must be well-formed Unicode');
  if (value.includes('\0')) throw refuse('must not contain a NUL character');
  return value;
}

/** Same rules as names in the catalog: a name is one segment of a URL, and all its characters are printable. */
function readName(fields: Fields): string {
  const name = readText(fields, 'name', 'Connection name', LIMITS.name);
  if (name === undefined) throw connectionErrors.nameRequired();
  const refuse = (reason: string) => connectionErrors.fieldRefused('Connection name', reason);
  if (name.includes('/')) throw refuse("cannot contain '/' character");
  if (name.trim() !== name) throw refuse('must not begin or end with white space');
  if (name === '.' || name === '..' || /\p{Cc}/u.test(name)) throw refuse('is not allowed');
  return name;
}

function readKind(fields: Fields): KindDefinition {
  const known = listKinds().map(({ kind }) => kind);
  const given = readText(fields, 'kind', 'Kind', LIMITS.name);
  if (given === undefined) throw connectionErrors.kindRequired(known);
  const found = findKind(given);
  if (found === undefined) throw connectionErrors.unknownKind(given, known);
  return found;
}

function readText(fields: Fields, key: string, subject: string, limit: number): string | undefined {
  const value = fields[key] ?? '';
  return value === '' ? undefined : checkValue(value, subject, limit);
}

function readTexts(fields: Fields, key: string, subject: string): Readonly<Record<string, unknown>> {
  const value = fields[key] ?? {};
  if (isRecord(value)) return value;
  throw connectionErrors.fieldRefused(subject, 'must be an object');
}

function readWhole(fields: Fields, key: string, subject: string, max: number): number | null {
  const value = fields[key] ?? null;
  if (value === null) return null;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
  throw connectionErrors.fieldRefused(subject, `must be a whole number from 1 to ${max}`);
}

function readOverrides(fields: Fields, { kind, overrides }: KindDefinition): readonly string[] | null {
  const value = fields.allowed_overrides ?? null;
  if (value === null) return null;
  if (!Array.isArray(value)) throw connectionErrors.fieldRefused('Allowed overrides', 'must be a list');
  const unknown = value.find((key) => !overrides.includes(key));
  if (unknown !== undefined) throw connectionErrors.unknownOverride(kind, String(unknown), overrides);
  return overrides.filter((key) => value.includes(key));
}

function checkOption(kind: KindDefinition, key: string, value: unknown, folder: string | undefined): string {
  const option = findOption(kind, key);
  if (option.isSecret) throw connectionErrors.isSecret(key);
  const text = checkValue(value, `Option ${key}`);
  const reason = option.check(text);
  if (reason !== null) throw connectionErrors.optionRefused(key, reason);
  if (!option.isPath(text) || path.isAbsolute(text)) return text;
  if (folder === undefined) throw connectionErrors.optionRefused(key, 'must be an absolute path');
  return path.resolve(folder, text);
}

function checkSecret(kind: KindDefinition, key: string, value: unknown): string {
  const option = findOption(kind, key);
  if (!option.isSecret) throw connectionErrors.isNoSecret(key);
  const text = checkValue(value, `Secret ${key}`, LIMITS.secret);
  const reason = option.check(text);
  if (reason !== null) throw connectionErrors.optionRefused(key, reason);
  return text;
}

function findOption({ kind, options }: KindDefinition, key: string): OptionDefinition {
  const found = options.find(({ name }) => name === key);
  if (found !== undefined) return found;
  const known = options.map(({ name }) => name);
  throw connectionErrors.unknownOption(kind, key, known);
}

function checkRequired({ kind, options }: KindDefinition, given: Fields): void {
  const missing = options.find(({ name, isRequired }) => isRequired && given[name] === undefined);
  if (missing !== undefined) throw connectionErrors.optionRequired(kind, missing.name);
}

function mapValues(
  fields: Fields,
  map: (key: string, value: unknown) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(key, value)]));
}
