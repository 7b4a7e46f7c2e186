import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml';
import type { Span } from '../text/span.ts';
import { findKeyPlaces } from './key-places.ts';

/** The value to which a key of a table can be set. */
type TomlValue = string | number | boolean | readonly string[];

interface KeyLocation {
  readonly table: string;
  readonly key: string;
}

/**
 * Sets a key of a table in TOML and keeps everything else, including comments. Returns null if the value cannot be
 * changed in place, or if the TOML is invalid.
 */
export function setTomlValue(text: string, location: KeyLocation, value: TomlValue): string | null {
  try {
    const edited = edit(text, location, print(value));
    return isOnlyChange(text, edited, location, value) ? edited : null;
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

/**
 * Removes a key of a table from TOML, with the comment behind it, and keeps everything else. Returns the same text if
 * the key is missing, and null if the key cannot be removed alone, or if the TOML is invalid.
 */
export function removeTomlKey(text: string, location: KeyLocation): string | null {
  try {
    const { table, key } = location;
    const keys = readTable(parseToml(text), table);
    if (keys === undefined || !Object.hasOwn(keys, key)) return text;
    const { start, end } = findKeyPlaces(text).find([table, key]);
    const newline = text.indexOf('\n', end);
    const before = text.slice(0, text.lastIndexOf('\n', start - 1) + 1);
    const edited = before + (newline < 0 ? '' : text.slice(newline + 1));
    return isOnlyChange(text, edited, location, undefined) ? edited : null;
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

/** Keeps integers of any size exact. */
function parseToml(text: string): TomlTable {
  return parse(text, { integersAsBigInt: 'asNeeded' });
}

function print(value: TomlValue): string {
  return stringify({ value }).trim().slice('value = '.length);
}

function edit(text: string, { table, key }: KeyLocation, value: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const keys = readTable(parseToml(text), table);
  if (keys === undefined) {
    const gap = text === '' ? '' : newline;
    return `${endLine(text, newline)}${gap}[${table}]${newline}${key} = ${value}${newline}`;
  }
  const places = findKeyPlaces(text);
  if (Object.hasOwn(keys, key)) {
    const { start, end } = places.find([table, key]);
    return text.slice(0, start) + value + text.slice(end);
  }
  const header = places.find([table]);
  const name = isHeader(text, header) ? key : `${table}.${key}`;
  const ends = Object.keys(keys).map((sibling) => places.find([table, sibling]).end);
  const line = text.indexOf('\n', Math.max(header.end, ...ends));
  const at = line < 0 ? text.length : line + 1;
  return `${endLine(text.slice(0, at), newline)}${name} = ${value}${newline}${text.slice(at)}`;
}

/** Whether a span is the name of a table in brackets, and not part of a dotted key. */
function isHeader(text: string, { start }: Span): boolean {
  return /(?:^|\n)\ufeff?[ \t]*\[[ \t]*$/.test(text.slice(0, start));
}

function endLine(text: string, newline: string): string {
  return text === '' || text.endsWith('\n') ? text : text + newline;
}

/** Whether two TOML documents differ only in the value of one key; undefined: the key is missing. */
function isOnlyChange(
  text: string,
  edited: string,
  { table, key }: KeyLocation,
  value: TomlValue | undefined,
): boolean {
  const [before, after] = [parseToml(text), parseToml(edited)];
  if (!isDeepStrictEqual(readTable(after, table)?.[key], value)) return false;
  for (const document of [before, after]) {
    delete readTable(document, table)?.[key];
    document[table] ??= parseToml('');
  }
  return isDeepStrictEqual(before, after);
}

function readTable(document: TomlTable, name: string): TomlTable | undefined {
  const table = document[name];
  const isTable = typeof table === 'object' && !Array.isArray(table) && !(table instanceof Date);
  return isTable ? table : undefined;
}
