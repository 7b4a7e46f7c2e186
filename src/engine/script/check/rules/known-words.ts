import { suggest } from '../../../../text/suggest.ts';
import type { LinkedFile } from '../../program/program.ts';
import type { BlockDeclaration, Expression, Identifier, MapExpression } from '../../syntax/ast.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import {
  OPTION_KEYS,
  PUBLICATION_KEYS,
  PUBLICATION_TYPES,
  type PublicationType,
} from '../../values/publication.ts';
import { printHint } from '../../values/resolve.ts';
import type { Report, Rule } from './rule.ts';

const CHANGES = 'update_on_changes_in';
const LATER_KEYS = ['unique_key', CHANGES, 'on_schema_change'];
const META_KEYS = ['doc', 'tags', 'checks'];
/** The further keys of a block, and of a test. */
const OWN_KEYS = { block: ['publication'], test: ['severity', 'fail_above', 'given', 'expect'] } as const;
/** Known return types. All except `void` mean that a block has rows. */
const RETURN_TYPES = ['void', 'dataset', 'table', 'recordset', 'rows'];

/** The keys of one map of a publication: those of each type, and those of all types. */
interface TypedKeys {
  readonly byType: typeof PUBLICATION_KEYS;
  readonly all: readonly string[];
}

const PUBLICATION: TypedKeys = { byType: PUBLICATION_KEYS, all: listAll(PUBLICATION_KEYS) };
const OPTIONS: TypedKeys = { byType: OPTION_KEYS, all: listAll(OPTION_KEYS) };

function listAll(keys: typeof PUBLICATION_KEYS): readonly string[] {
  return [...new Set(Object.values(keys).flat())];
}

/** Warns of unknown return types and unknown keys of metadata, which are ignored. */
export const knownWords: Rule = ({ packages }, report) => {
  const files = packages.values().flatMap(({ files }) => files);
  for (const file of files) for (const block of file.file.blocks) checkWords(file, block, report);
};

/** As `knownWords`, for one block of a file. */
export function checkWords(
  file: LinkedFile,
  { kind, returns, meta }: BlockDeclaration,
  report: Report,
): void {
  if (returns !== null && !RETURN_TYPES.includes(returns.name)) reportType(file, returns, report);
  checkKeys(file, meta, [...META_KEYS, ...OWN_KEYS[kind === 'test' ? 'test' : 'block']], report);
  const doc = findEntry(meta, 'doc');
  if (doc !== null && isNoText(doc)) report(file, doc, '`:doc` must be a string');
  const tags = findEntry(meta, 'tags');
  if (tags !== null && !isTextList(tags)) report(file, tags, '`:tags` must be a list of strings');
  const publication = findEntry(meta, 'publication');
  if (publication?.kind === 'map') checkPublication(file, publication, report);
}

function checkPublication(file: LinkedFile, publication: MapExpression, report: Report): void {
  const typeExpression = findEntry(publication, 'type');
  const name = typeExpression === null ? null : textOf(typeExpression);
  const type = PUBLICATION_TYPES.find((candidate) => candidate === name) ?? null;
  checkTypedKeys(file, publication, PUBLICATION, type, report);
  if (type === 'table') checkIncrementalKeys(file, publication, report);
  const options = findEntry(publication, 'options');
  if (options?.kind === 'map') checkTypedKeys(file, options, OPTIONS, type, report);
}

/** Warns of keys that have an effect only in an incremental table, or only in one that merges. */
function checkIncrementalKeys(file: LinkedFile, publication: MapExpression, report: Report): void {
  const incremental = findEntry(publication, 'incremental');
  const mode = incremental === null ? null : textOf(incremental);
  // A computed value is known only at run time.
  if (incremental !== null && mode === null && !isNone(incremental)) return;
  const isNever = incremental === null || isNone(incremental);
  for (const { key } of publication.entries) {
    const isIgnored = isNever ? LATER_KEYS.includes(key.name) : key.name === CHANGES && mode === 'append';
    if (!isIgnored) continue;
    const needs = key.name === CHANGES ? '`:incremental "merge"`' : '`:incremental`';
    report(file, key, `the key \`:${key.name}\` has no effect without ${needs}`, 'warning');
  }
}

function isNone(expression: Expression): boolean {
  return expression.kind === 'literal' && (expression.value === null || expression.value === false);
}

function textOf(expression: Expression): string | null {
  if (expression.kind === 'symbol') return expression.name;
  if (expression.kind !== 'literal') return null;
  if (expression.value === true) return 'append';
  return typeof expression.value === 'string' ? expression.value : null;
}

/** Warns of unknown keys, and of keys that have no effect in a publication of this type, if the type is known. */
function checkTypedKeys(
  file: LinkedFile,
  map: MapExpression,
  { byType, all }: TypedKeys,
  type: PublicationType | null,
  report: Report,
): void {
  checkKeys(file, map, all, report);
  if (type === null) return;
  const keysOfType = byType[type];
  for (const { key } of map.entries) {
    if (!all.includes(key.name) || keysOfType.includes(key.name)) continue;
    const near = printKeyHint(suggest(key.name, keysOfType));
    const message = `the key \`:${key.name}\` has no effect in a publication of type \`${type}\`${near}`;
    report(file, key, message, 'warning');
  }
}

function isNoText(expression: Expression): boolean {
  if (expression.kind === 'literal') return typeof expression.value !== 'string';
  return expression.kind === 'list' || expression.kind === 'map';
}

function isTextList(expression: Expression): boolean {
  if (expression.kind !== 'list') return false;
  return expression.items.every((item) => item.kind === 'literal' && typeof item.value === 'string');
}

function reportType(file: LinkedFile, returns: Identifier, report: Report): void {
  const near = printHint(suggest(returns.name, RETURN_TYPES));
  report(
    file,
    returns,
    `the unknown return type \`${returns.name}\` is treated as a data set${near}`,
    'warning',
  );
}

function printKeyHint(near: string | undefined): string {
  return printHint(near === undefined ? undefined : `:${near}`);
}

function checkKeys(
  file: LinkedFile,
  map: MapExpression | null,
  knownKeys: readonly string[],
  report: Report,
): void {
  for (const { key } of map?.entries ?? []) {
    if (knownKeys.includes(key.name)) continue;
    report(file, key, `unknown key \`:${key.name}\`${printKeyHint(suggest(key.name, knownKeys))}`, 'warning');
  }
}
