import { parse, TomlError } from 'smol-toml';
import { elementAt } from '../../invariants/must.ts';
import { printCount } from '../../invariants/print-count.ts';
import { createDiagnostic, type Diagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { findKeyPlaces } from './key-places.ts';
import { createTomlReader, type FieldProblem, type TomlField, type TomlFields } from './toml-fields.ts';

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
    const value = parse(source.text, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH });
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
