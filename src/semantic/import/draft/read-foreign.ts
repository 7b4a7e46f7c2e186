import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { modelMessages } from '../../model/model-messages.ts';
import { parseYamlStream, type TextError } from '../../model/read/parse-yaml.ts';
import { importMessages } from './errors.ts';

/** A YAML value of any form, with its location. */
export type Foreign =
  | { readonly kind: 'map'; readonly span: Span; readonly entries: ReadonlyMap<string, ForeignEntry> }
  | { readonly kind: 'list'; readonly span: Span; readonly items: readonly Foreign[] }
  | {
      readonly kind: 'scalar';
      readonly span: Span;
      readonly value: unknown;
      /** The source text. */
      readonly text: string;
    };

interface ForeignEntry {
  /** The location of the key. */
  readonly span: Span;
  readonly value: Foreign;
}

interface ForeignReading {
  /** One root per document; empty documents are left out. */
  readonly roots: readonly Foreign[];
  readonly errors: readonly TextError[];
}

/** The maximum number of values that aliases expand to in one file. */
const MAX_ALIASED = 100_000;
const MERGE = '<<';
/** Jinja in place of YAML keys or values: at the start of a line or after a colon. */
const TEMPLATE = /^\s*\{[%#{]|:\s*\{\{/m;

interface Reader {
  readonly errors: TextError[];
  readonly anchors: Map<string, Node>;
  aliased: number;
  /** The depth of nested aliases. */
  inside: number;
}

/** Reads YAML of any form with any number of documents, and resolves merge keys. Never throws. */
export function readForeign(source: Source): ForeignReading {
  const { roots, errors } = parseYamlStream(source);
  if (errors.length > 0 && TEMPLATE.test(source.text)) {
    const [{ span } = { span: { start: 0, end: 0 } }] = errors;
    return { roots: [], errors: [{ span, message: importMessages.isJinja() }] };
  }
  const reader: Reader = { errors: [...errors], anchors: new Map(), aliased: 0, inside: 0 };
  const values = roots.map((root) => {
    // Anchors are local to their document.
    reader.anchors.clear();
    return readNode(reader, root, { start: 0, end: 0 });
  });
  const isNothing = (value: Foreign) => value.kind === 'scalar' && value.value === null;
  return { roots: values.filter((value) => !isNothing(value)), errors: reader.errors };
}

function readNode(reader: Reader, node: Node | null, parent: Span): Foreign {
  if (node === null) return toNothing(parent);
  if (isAlias(node)) return readAlias(reader, node);
  if (reader.inside > 0 && ++reader.aliased > MAX_ALIASED) return toNothing(spanOf(node));
  const value = readValue(reader, node);
  // Register the anchor only now: a value that contains itself would be infinite.
  if ('anchor' in node && node.anchor !== undefined) reader.anchors.set(node.anchor, node);
  return value;
}

function readValue(reader: Reader, node: Node): Foreign {
  const span = spanOf(node);
  if (isMap(node)) return { kind: 'map', span, entries: readEntries(reader, node) };
  if (isSeq(node)) {
    const items = (node.items as (Node | null)[]).map((item) => readNode(reader, item, span));
    return { kind: 'list', span, items };
  }
  if (!isScalar(node)) return toNothing(span);
  const { value, source } = node;
  return { kind: 'scalar', span, value, text: typeof value === 'string' ? value : (source ?? String(value)) };
}

function readAlias(reader: Reader, node: Node & { source: string }): Foreign {
  const target = reader.anchors.get(node.source);
  const span = spanOf(node);
  if (target === undefined) {
    reader.errors.push({ span, message: modelMessages.unknownAlias(node.source) });
    return toNothing(span);
  }
  const before = reader.aliased;
  reader.inside++;
  const value = readNode(reader, target, span);
  reader.inside--;
  if (before <= MAX_ALIASED && reader.aliased > MAX_ALIASED) {
    reader.errors.push({ span, message: modelMessages.tooManyAliases() });
  }
  return value;
}

function readEntries(reader: Reader, node: YAMLMap): ReadonlyMap<string, ForeignEntry> {
  const entries = new Map<string, ForeignEntry>();
  const merged: Foreign[] = [];
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const span = spanOf(key);
    const name = isScalar(key) ? key.value : null;
    const read = readNode(reader, value, span);
    if (name === MERGE) merged.push(...(read.kind === 'list' ? read.items : [read]));
    else if (typeof name !== 'string') reader.errors.push({ span, message: importMessages.keyIsNoText() });
    else if (entries.has(name)) reader.errors.push({ span, message: importMessages.keyTwice(name) });
    else entries.set(name, { span, value: read });
  }
  for (const map of merged) addMissing(entries, map);
  return entries;
}

/** Adds the keys of a merge key that are missing. */
function addMissing(entries: Map<string, ForeignEntry>, map: Foreign): void {
  for (const [name, entry] of map.kind === 'map' ? map.entries : []) {
    if (!entries.has(name)) entries.set(name, entry);
  }
}

function toNothing(span: Span): Foreign {
  return { kind: 'scalar', span, value: null, text: '' };
}

function spanOf({ range }: Node): Span {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}
