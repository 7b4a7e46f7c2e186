import { notNull } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import { describeValue, isList, isMap, isSymbol, type MapValue, type Value } from './value.ts';

export type PublicationType = 'table' | 'view' | 'csv' | 'parquet';
export type Incremental = 'append' | 'merge' | 'merge_conditionally' | 'history';
type SchemaPolicy = 'fail' | 'append' | 'sync' | 'ignore';

/** The `:publication` of a block (docs/reference/publishing.md#keys), with its defaults. */
export interface Publication {
  readonly type: PublicationType;
  /** Only for a table or view. */
  readonly schema: string | null;
  readonly name: string | null;
  /** Only for a file. */
  readonly path: string | null;
  readonly connection: string | null;
  readonly options: MapValue | null;
  readonly primaryKey: readonly string[];
  readonly incremental: Incremental | null;
  readonly uniqueKey: readonly string[];
  readonly updateOnChangesIn: readonly string[];
  readonly onSchemaChange: SchemaPolicy;
}

/** Invalid metadata of a publication; the message contains advice. */
export class PublicationError extends Error {
  /** The key of the wrong value; null if the error is not about one key. */
  readonly key: string | null;

  constructor(message: string, key: string | null = null) {
    super(message);
    this.key = key;
  }
}

export const PUBLICATION_TYPES: readonly PublicationType[] = ['table', 'view', 'csv', 'parquet'];
const FILE_KEYS: readonly string[] = ['type', 'path', 'connection', 'options'];
/** The valid keys of each type of publication. */
export const PUBLICATION_KEYS: Readonly<Record<PublicationType, readonly string[]>> = {
  table: [
    'type',
    'name',
    'schema',
    'primary_key',
    'incremental',
    'unique_key',
    'update_on_changes_in',
    'on_schema_change',
  ],
  view: ['type', 'name', 'schema'],
  csv: FILE_KEYS,
  parquet: FILE_KEYS,
};
/** The valid keys of `:options` of each type. */
export const OPTION_KEYS: Readonly<Record<PublicationType, readonly string[]>> = {
  table: [],
  view: [],
  csv: ['delimiter', 'null_value', 'quote_char', 'overwrite', 'header', 'encoding', 'compression'],
  parquet: ['overwrite', 'compression'],
};
/** The modes of incremental publication. */
export const INCREMENTALS: readonly Incremental[] = ['append', 'merge', 'merge_conditionally', 'history'];
/** The values of `:on_schema_change`. */
const SCHEMA_POLICIES: readonly SchemaPolicy[] = ['fail', 'append', 'sync', 'ignore'];

/** Whether a publication is a file, not an object of a database. */
export function isFile(type: PublicationType): boolean {
  return type === 'csv' || type === 'parquet';
}

/** The required key with the target of a publication of this type. */
export function findPlaceKey(type: PublicationType): 'name' | 'path' {
  return isFile(type) ? 'path' : 'name';
}

/** Reads the value of `:publication`. Throws a PublicationError. */
export function readPublication(value: Value): Publication {
  if (!isMap(value))
    throw new PublicationError(`\`:publication\` must be a map, not ${describeValue(value)}`);
  const type = readType(value);
  const target = readText(value, findPlaceKey(type));
  if (target === null || target === '') throw missingPlace(type);
  const options = value.entries.get('options') ?? null;
  if (options !== null && !isMap(options)) throw wrong('options', 'a map', options);
  const incremental = readIncremental(value);
  const uniqueKey = readNames(value, 'unique_key');
  if (incremental !== null && incremental !== 'append' && uniqueKey.length === 0)
    throw missingKey(incremental);
  const updateOnChangesIn = readNames(value, 'update_on_changes_in');
  if (incremental === 'merge_conditionally' && updateOnChangesIn.length === 0) throw missingChanges();
  const primaryKey = readNames(value, 'primary_key');
  if (incremental === 'history') checkStateKey(primaryKey, uniqueKey);
  const schema = readText(value, 'schema');
  if (schema === '') throw wrong('schema', 'a name', schema);
  return {
    type,
    schema,
    name: isFile(type) ? null : target,
    path: isFile(type) ? target : null,
    connection: readText(value, 'connection'),
    options,
    primaryKey,
    incremental,
    uniqueKey,
    updateOnChangesIn,
    onSchemaChange: readSchemaPolicy(readText(value, 'on_schema_change') ?? 'fail'),
  };
}

/** The error for a publication without a name or path. */
export function missingPlace(type: PublicationType): PublicationError {
  const key = findPlaceKey(type);
  return new PublicationError(`a publication of type \`${type}\` needs a \`:${key}\``);
}

/** The error for an unknown mode of incremental publication. */
export function unknownIncremental(value: string): PublicationError {
  const modes = INCREMENTALS.map((mode) => `"${mode}"`).join(', ');
  return new PublicationError(`\`:incremental\` must be ${modes} or true, not "${value}"`, 'incremental');
}

/** The error for a publication that merges rows without a key. */
export function missingKey(incremental: string): PublicationError {
  return new PublicationError(
    `\`:incremental "${incremental}"\` needs a \`:unique_key\`, the columns that identify a row`,
  );
}

/** The policy of this name. Throws a PublicationError. */
export function readSchemaPolicy(text: string): SchemaPolicy {
  const policy = SCHEMA_POLICIES.find((candidate) => candidate === text);
  if (policy !== undefined) return policy;
  const near = suggest(text, SCHEMA_POLICIES);
  const policies = SCHEMA_POLICIES.map((name) => `"${name}"`).join(', ');
  const hint = near === undefined ? `use ${policies}` : `did you mean "${near}"?`;
  throw new PublicationError(`unknown \`:on_schema_change "${text}"\`: ${hint}`, 'on_schema_change');
}

/** Checks the primary key of a history, in which a key has several states. Throws a PublicationError. */
export function checkStateKey(primaryKey: readonly string[], uniqueKey: readonly string[]): void {
  if (primaryKey.length === 0) return;
  const list = (names: readonly string[]) =>
    names
      .map((name) => name.toLowerCase())
      .sort()
      .join('\n');
  if (list(primaryKey) === list([...uniqueKey, 'valid_from'])) return;
  const advice = 'remove it, or use the columns of `:unique_key` and "valid_from"';
  const message = `the \`:primary_key\` of a history must be that of its states: ${advice}`;
  throw new PublicationError(message, 'primary_key');
}

/** The error for a publication that merges conditionally without a condition. */
export function missingChanges(): PublicationError {
  const needs = '`:update_on_changes_in`, the columns that are compared';
  return new PublicationError(`\`:incremental "merge_conditionally"\` needs ${needs}`, 'incremental');
}

/** The error for an unknown type of publication. */
export function unknownType(type: string): PublicationError {
  const near = suggest(type, PUBLICATION_TYPES);
  const typeNames = PUBLICATION_TYPES.map((typeName) => `"${typeName}"`).join(', ');
  const hint = near === undefined ? `use ${typeNames}` : `did you mean "${near}"?`;
  return new PublicationError(`unknown type "${type}" of a publication: ${hint}`, 'type');
}

/** The name of the published object in SQL (docs/reference/publishing.md#names): plain names are not quoted. */
export function printPublishedName({ schema, name }: Publication, { printName }: SqlDialect): string {
  return schema === null ? printName(notNull(name)) : `${printName(schema)}.${printName(notNull(name))}`;
}

/** The name of a target in reports: its file, or its object as SQL has it. */
export function printPlace(publication: Publication, dialect: SqlDialect): string {
  return publication.path ?? printPublishedName(publication, dialect);
}

function readType(map: MapValue): PublicationType {
  const type = readText(map, 'type');
  if (type === null) throw new PublicationError('a publication needs a `:type`');
  const match = PUBLICATION_TYPES.find((candidate) => candidate === type);
  if (match === undefined) throw unknownType(type);
  return match;
}

function readIncremental(map: MapValue): Incremental | null {
  const value = map.entries.get('incremental') ?? null;
  if (value === null || value === false) return null;
  if (value === true) return 'append';
  const match = INCREMENTALS.find((candidate) => candidate === textOf(value));
  if (match !== undefined) return match;
  throw unknownIncremental(textOf(value) ?? describeValue(value));
}

function readText(map: MapValue, key: string): string | null {
  const value = map.entries.get(key) ?? null;
  if (value === null) return null;
  const text = textOf(value);
  if (text !== null) return text;
  throw wrong(key, 'a string', value);
}

function readNames(map: MapValue, key: string): readonly string[] {
  const value = map.entries.get(key) ?? null;
  if (value === null) return [];
  if (!isList(value)) throw wrong(key, 'a list of columns', value);
  return value.map((item) => {
    const text = textOf(item);
    if (text !== null) return text;
    throw wrong(key, 'a list of columns', item);
  });
}

function textOf(value: Value): string | null {
  if (isSymbol(value)) return value.name;
  return typeof value === 'string' ? value : null;
}

function wrong(key: string, expected: string, value: Value): PublicationError {
  const shown = typeof value === 'string' ? `"${value}"` : describeValue(value);
  return new PublicationError(`\`:${key}\` must be ${expected}, not ${shown}`, key);
}
