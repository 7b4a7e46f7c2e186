import { parse, TomlError } from 'smol-toml';
import { elementAt } from '../../invariants/must.ts';
import { printCount } from '../../invariants/print-count.ts';
import { createDiagnostic, type Diagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { findKeyPlaces } from './key-places.ts';

/** Limits of a TOML document: the server parses it while other requests wait. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;
const MAX_KEYS = 5_000;

/** The value of a TOML document, or all its errors. */
export type TomlReading<Value> =
  | { readonly value: Value; readonly warnings: readonly Diagnostic[]; readonly errors?: undefined }
  | { readonly value?: undefined; readonly warnings?: undefined; readonly errors: readonly Diagnostic[] };

/** Parses TOML and converts its fields with `read`; each error has the position of its field. Never throws. */
export function readToml<Value>(
  source: Source,
  read: (fields: TomlFields, root: TomlField) => Value,
): TomlReading<Value> {
  const document = parseToml(source);
  if (document.error !== undefined) return { errors: [document.error] };
  const fields = createTomlReader();
  const value = read(fields, { path: [], value: document.value });
  const { errors, warnings } = fields;
  if (errors.length > 0) return { errors: place(source, errors, 'error') };
  return { value, warnings: warnings.length === 0 ? [] : place(source, warnings, 'warning') };
}

/** Diagnostics at the positions of their keys, in the order of the document. */
function place(
  source: Source,
  problems: readonly FieldProblem[],
  severity: Diagnostic['severity'],
): readonly Diagnostic[] {
  const places = findKeyPlaces(source.text);
  return problems
    .map(({ path, message }) => ({ span: places.find(path), message }))
    .sort((left, right) => left.span.start - right.span.start)
    .map(({ span, message }) => createDiagnostic(source, span, message, 'manifest', severity));
}

type Toml = { readonly value: unknown; readonly error?: undefined } | { readonly error: Diagnostic };

function parseToml(source: Source): Toml {
  if (source.text.length > MAX_CHARACTERS) {
    return refuse(source, `it has more than ${printCount(MAX_CHARACTERS)} characters`);
  }
  try {
    const value = parse(source.text, { integersAsBigInt: true, maxDepth: MAX_DEPTH });
    const reason = findExcess(value);
    return reason === null ? { value } : refuse(source, reason);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const start = findOffset(source.text, error);
    const reason = elementAt(error.message.split('\n', 1), 0).replace('Invalid TOML document: ', '');
    return {
      error: createDiagnostic(source, { start, end: start + 1 }, `invalid TOML: ${reason}`, 'manifest'),
    };
  }
}

function refuse(source: Source, reason: string): Toml {
  // The error points to the first line, so a prefix of the document is enough.
  const excerpt = { ...source, text: source.text.slice(0, MAX_CHARACTERS) };
  return { error: createDiagnostic(excerpt, { start: 0, end: 0 }, `too large: ${reason}`, 'manifest') };
}

/** The limit that a value exceeds, checked level by level; null if none. Parts of dotted keys are levels, too. */
function findExcess(value: unknown): string | null {
  let level = [value];
  let keys = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `tables, lists and parts of keys are nested more than ${MAX_DEPTH} deep`;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    keys += level.length;
    if (keys > MAX_KEYS) return `it has more than ${printCount(MAX_KEYS)} keys and values`;
  }
  return null;
}

function findOffset(text: string, { line, column }: TomlError): number {
  let start = 0;
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** A value of a TOML document and its path of keys; a missing value is undefined. */
export interface TomlField {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** An error or warning about the value at a path. */
interface FieldProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Reads the fields of a TOML document; a value of the wrong type is recorded as an error and counts as missing. */
export interface TomlFields {
  readonly errors: readonly FieldProblem[];
  /** Warnings; the document can still be used. */
  readonly warnings: readonly FieldProblem[];
  refuse(path: readonly string[], message: string): void;
  warn(path: readonly string[], message: string): void;
  missing(field: TomlField): void;
  /** Records that a value has another type than `expectedType`. */
  refuseType(field: TomlField, expectedType: string, hint?: string): void;
  text(field: TomlField): string | undefined;
  /** As `text`, but a missing value is an error. */
  neededText(field: TomlField): string | undefined;
  /** An integer, 0 or greater. */
  count(field: TomlField): number | undefined;
  flag(field: TomlField): boolean | undefined;
  texts(field: TomlField): readonly string[] | undefined;
  /** The fields of a table; empty if the table is missing. */
  table(field: TomlField): readonly TomlField[];
  isTable(field: TomlField): boolean;
}

/** The field of a table, or one without a value. */
export function getField({ path, value }: TomlField, key: string): TomlField {
  return { path: [...path, key], value: isTomlTable(value) ? value[key] : undefined };
}

/** The fields of a table; empty for any other value. */
export function listFields(field: TomlField): readonly TomlField[] {
  return isTomlTable(field.value) ? Object.keys(field.value).map((key) => getField(field, key)) : [];
}

/** Creates a reader that has no errors yet. */
function createTomlReader(): TomlFields {
  const errors: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const refuse = (path: readonly string[], message: string) => void errors.push({ path, message });

  function refuseType({ path, value }: TomlField, expectedType: string, hint = ''): void {
    refuse(path, `\`${printKey(path)}\` must be ${expectedType}, not ${describe(value)}${hint}`);
  }

  function missing({ path }: TomlField): void {
    refuse(path, `\`[${printKey(path.slice(0, -1))}]\` needs a \`${path.at(-1)}\``);
  }

  function text(field: TomlField): string | undefined {
    return of(field, 'a string', (value) => typeof value === 'string');
  }

  function of<Value>(
    field: TomlField,
    expectedType: string,
    is: (value: unknown) => value is Value,
  ): Value | undefined {
    if (is(field.value)) return field.value;
    if (field.value !== undefined) refuseType(field, expectedType);
    return undefined;
  }

  function isTable(field: TomlField): boolean {
    const table = isTomlTable(field.value);
    if (!table && field.value !== undefined) refuseType(field, 'a table');
    return table;
  }

  return {
    errors,
    warnings,
    refuse,
    warn: (path, message) => void warnings.push({ path, message }),
    missing,
    refuseType,
    text,
    neededText(field) {
      if (field.value === undefined) missing(field);
      return text(field);
    },
    table: (field) => (isTable(field) ? listFields(field) : []),
    count: ({ path, value }) =>
      of({ path, value: typeof value === 'bigint' ? Number(value) : value }, 'a whole number', isCount),
    flag: (field) => of(field, 'true or false', (value) => typeof value === 'boolean'),
    texts: (field) => of(field, 'a list of strings', isTexts),
    isTable,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The parser creates tables without a prototype; its dates are objects, too. */
function isTomlTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

function printKey(path: readonly string[]): string {
  return path.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join('.');
}

function describe(value: unknown): string {
  if (isTomlTable(value)) return 'a table';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date or time';
  const names: Readonly<Record<string, string>> = { string: 'a string', boolean: 'true or false' };
  return names[typeof value] ?? 'a number';
}
