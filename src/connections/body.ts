import path from 'node:path';
import type { KindDefinition, OptionDefinition } from '../engine/connection/contract/kind.ts';
import { fieldErrors, MAX_NAME_LENGTH } from '../errors/fields.ts';
import { present } from '../invariants/must.ts';
import { connectionErrors } from './errors.ts';
import { findKind, listKinds } from './record.ts';

type Texts = Readonly<Record<string, string>>;

/** The fields of a connection to create or replace. An empty text counts as absent. */
export interface ConnectionFields {
  readonly name?: string | undefined;
  readonly kind?: string | undefined;
  readonly options?: Texts | undefined;
  readonly secrets?: Texts | undefined;
  readonly allowedOverrides?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxSessions?: number | undefined;
  readonly description?: string | undefined;
}

/** A checked connection to create or replace. */
export interface NewConnection {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** Options; their paths are absolute. */
  readonly options: Texts;
  readonly secrets: Texts;
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
 * Checks the fields of a connection, in their order; using a field may throw, too. `folder` is the base of relative
 * paths; without it, paths must be absolute. Throws 400; no message contains a secret.
 */
export function checkNewConnection(fields: ConnectionFields, folder: string | undefined): NewConnection {
  const name = checkName(fields.name);
  const kind = getKind(fields.kind);
  const { options = {} } = fields;
  const { secrets = {} } = fields;
  const checked = mapValues(options, (key, read) => checkOption(kind, key, read, folder));
  const checkedSecrets = mapValues(secrets, (key, read) => checkSecret(kind, key, read));
  checkRequired(kind, { ...options, ...secrets });
  return {
    name,
    kind: kind.kind,
    options: checked,
    secrets: checkedSecrets,
    overrides: checkOverrides(fields.allowedOverrides, kind),
    timeoutMs: checkWhole(fields.timeoutMs, 'Timeout', LIMITS.timeoutMs),
    maxSessions: checkWhole(fields.maxSessions, 'Number of sessions', LIMITS.sessions),
    description: checkText(fields.description, 'Description', LIMITS.description) ?? '',
  };
}

/** Checks the value of an option or an override; `subject` starts the message. Throws 400. */
export function checkValue(value: string, subject: string, limit: number = LIMITS.option): string {
  const refuse = (reason: string) => fieldErrors.invalid(subject, reason);
  if (value === '') throw refuse('must not be empty');
  if (value.length > limit && [...value].length > limit) throw refuse(`exceeds ${limit} characters`);
  if (!value.isWellFormed()) throw refuse('must be well-formed Unicode');
  if (value.includes('\0')) throw refuse('must not contain a NUL character');
  return value;
}

/** Same rules as names in the catalog: a name is one segment of a URL, and all its characters are printable. */
function checkName(value: string | undefined): string {
  const name = checkText(value, 'Connection name', LIMITS.name);
  if (name === undefined) throw connectionErrors.nameRequired();
  const refuse = (reason: string) => fieldErrors.invalid('Connection name', reason);
  if (name.includes('/')) throw refuse("cannot contain '/' character");
  if (name.trim() !== name) throw refuse('must not begin or end with white space');
  if (name === '.' || name === '..' || /\p{Cc}/u.test(name)) throw refuse('is not allowed');
  return name;
}

function getKind(value: string | undefined): KindDefinition {
  const known = listKinds().map(({ kind }) => kind);
  const name = checkText(value, 'Kind', LIMITS.name);
  if (name === undefined) throw connectionErrors.kindRequired(known);
  const definition = findKind(name);
  if (definition === undefined) throw connectionErrors.unknownKind(name, known);
  return definition;
}

function checkText(value: string | undefined, subject: string, limit: number): string | undefined {
  return value ? checkValue(value, subject, limit) : undefined;
}

function checkWhole(value: number | undefined, subject: string, max: number): number | null {
  if (value === undefined) return null;
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw fieldErrors.invalid(subject, `must be a whole number from 1 to ${max}`);
}

function checkOverrides(
  keys: readonly string[] | undefined,
  { kind, overrides }: KindDefinition,
): readonly string[] | null {
  if (keys === undefined) return null;
  const unknown = keys.find((key) => !overrides.includes(key));
  if (unknown !== undefined) throw connectionErrors.unknownOverride(kind, unknown, overrides);
  return overrides.filter((key) => keys.includes(key));
}

function checkOption(
  kind: KindDefinition,
  key: string,
  read: () => string,
  folder: string | undefined,
): string {
  const option = findOption(kind, key);
  if (option.isSecret) throw connectionErrors.isSecret(key);
  const text = checkValue(read(), `Option ${key}`);
  const reason = option.check(text);
  if (reason !== null) throw connectionErrors.optionRefused(key, reason);
  if (!option.isPath(text) || path.isAbsolute(text)) return text;
  if (folder === undefined) throw connectionErrors.optionRefused(key, 'must be an absolute path');
  return path.resolve(folder, text);
}

function checkSecret(kind: KindDefinition, key: string, read: () => string): string {
  const option = findOption(kind, key);
  if (!option.isSecret) throw connectionErrors.isNoSecret(key);
  const text = checkValue(read(), `Secret ${key}`, LIMITS.secret);
  const reason = option.check(text);
  if (reason !== null) throw connectionErrors.optionRefused(key, reason);
  return text;
}

function findOption({ kind, options }: KindDefinition, key: string): OptionDefinition {
  const option = options.find(({ name }) => name === key);
  if (option !== undefined) return option;
  const known = options.map(({ name }) => name);
  throw connectionErrors.unknownOption(kind, key, known);
}

/** Throws 400 for a name that is not an option of a kind. */
export function checkOptionNames(kind: string, names: readonly string[]): void {
  for (const name of names) findOption(getKind(kind), name);
}

function checkRequired({ kind, options }: KindDefinition, values: Texts): void {
  const missing = options.find(({ name, isRequired }) => isRequired && values[name] === undefined);
  if (missing !== undefined) throw connectionErrors.optionRequired(kind, missing.name);
}

function mapValues(texts: Texts, map: (key: string, read: () => string) => string): Texts {
  return Object.fromEntries(Object.keys(texts).map((key) => [key, map(key, () => present(texts[key]))]));
}
