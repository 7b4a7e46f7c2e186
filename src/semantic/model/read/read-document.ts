import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { present } from '../../../invariants/must.ts';
import { modelMessages } from '../model-messages.ts';
import { type ModelDocument, modelSchema } from '../model-schema.ts';
import { parseYaml, type TextError } from './parse-yaml.ts';

/** A value without the parts that have a wrong form. */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Loose<T[Key]> | undefined }
    : T;

/** The locations of values in a document. */
export interface DocumentLocations {
  /** The location of a key's value; of the object itself without a key, or if the key is missing. */
  find(owner: object, key?: string): Span;
}

/** The valid parts of a model file, and its errors. */
interface DocumentReading {
  /** Null for an empty file. */
  readonly document: Loose<ModelDocument> | null;
  readonly places: DocumentLocations;
  readonly errors: readonly TextError[];
}

/** The maximum number of values that aliases expand to in one file. */
const MAX_ALIASED = 100_000;

/** The supported parts of a JSON Schema. */
interface Form {
  readonly title?: string;
  readonly type?: 'object' | 'array' | 'string' | 'boolean';
  readonly properties?: Readonly<Record<string, Form>>;
  readonly required?: readonly string[];
  readonly items?: Form;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly enum?: readonly string[];
  /** Words, and their form in any case. */
  readonly anyOf?: readonly [Form, Form];
}

interface Reader {
  readonly errors: TextError[];
  readonly spans: WeakMap<object, Record<string, Span>>;
  readonly anchors: Map<string, Node>;
  aliased: number;
  /** The depth of nested aliases. */
  inside: number;
}

/** Marks a value that is left out. */
const LEFT_OUT = Symbol('left out');
/** The key for the location of the object itself; real keys are never empty. */
const OWN = '';

/**
 * Reads a model file by its schema, with all errors of its form (docs/reference/semantic-model.md#keys). Never throws.
 */
export function readDocument(source: Source): DocumentReading {
  const { root, errors } = parseYaml(source);
  const reader: Reader = {
    errors: [...errors],
    spans: new WeakMap(),
    anchors: new Map(),
    aliased: 0,
    inside: 0,
  };
  const places: DocumentLocations = {
    find(owner, key = OWN) {
      const spans = reader.spans.get(owner);
      return spans?.[key] ?? spans?.[OWN] ?? { start: 0, end: 0 };
    },
  };
  const isEmpty = root === null || (isScalar(root) && root.value === null && root.source === '');
  if (isEmpty) {
    if (errors.length === 0) refuse(reader, { start: 0, end: 0 }, modelMessages.empty());
    return { document: null, places, errors: reader.errors };
  }
  const value = readNode(reader, modelSchema as Form, root, { subject: 'a model', span: spanOf(root) });
  const document = value === LEFT_OUT ? null : (value as Loose<ModelDocument>);
  return { document, places, errors: reader.errors };
}

/** The name of a value in messages, and its location if it is missing. */
interface About {
  readonly subject: string;
  readonly span: Span;
}

function refuse(reader: Reader, span: Span, message: string): typeof LEFT_OUT {
  reader.errors.push({ span, message });
  return LEFT_OUT;
}

function readNode(reader: Reader, form: Form, node: Node | null, about: About): unknown {
  if (isAlias(node)) return readAlias(reader, form, node, about);
  if (reader.inside > 0 && ++reader.aliased > MAX_ALIASED) return LEFT_OUT;
  const anchor = node !== null && 'anchor' in node ? node.anchor : undefined;
  if (anchor !== undefined && node !== null) reader.anchors.set(anchor, node);
  switch (form.type) {
    case 'object':
      if (isMap(node)) return readMap(reader, form, node);
      return refuseType(reader, node, about, 'a map of keys and values');
    case 'array':
      return readList(reader, form, node, about);
    case 'boolean':
      if (isScalar(node) && typeof node.value === 'boolean') return node.value;
      return refuseType(reader, node, about, 'true or false');
    default:
      return readText(reader, form, node, about);
  }
}

function readAlias(reader: Reader, form: Form, node: Node & { source: string }, about: About): unknown {
  const target = reader.anchors.get(node.source);
  if (target === undefined) return refuse(reader, spanOf(node), modelMessages.unknownAlias(node.source));
  const before = reader.aliased;
  reader.inside++;
  const value = readNode(reader, form, target, about);
  reader.inside--;
  if (before <= MAX_ALIASED && reader.aliased > MAX_ALIASED) {
    refuse(reader, spanOf(node), modelMessages.tooManyAliases());
  }
  return value;
}

function readMap(reader: Reader, form: Form, node: YAMLMap): object {
  const entry: Entry = { value: {}, spans: { [OWN]: spanOf(node) } };
  for (const pair of node.items as Pair<Node, Node | null>[]) readPair(reader, form, pair, entry);
  for (const key of form.required ?? []) {
    if (Object.hasOwn(entry.value, key)) continue;
    refuse(reader, present(entry.spans[OWN]), modelMessages.missingKey(key, present(form.title)));
  }
  reader.spans.set(entry.value, entry.spans);
  return entry.value;
}

/** An object during reading; values of a wrong form are present but undefined. */
interface Entry {
  readonly value: Record<string, unknown>;
  readonly spans: Record<string, Span>;
}

function readPair(
  reader: Reader,
  form: Form,
  { key: node, value }: Pair<Node, Node | null>,
  entry: Entry,
): void {
  const span = spanOf(node);
  const known = present(form.properties);
  const key = isScalar(node) ? node.value : null;
  if (typeof key !== 'string') {
    refuse(reader, span, modelMessages.keyIsNoText());
  } else if (!Object.hasOwn(known, key)) {
    const error = value === null ? modelMessages.keyAlone(key) : null;
    refuse(reader, span, error ?? modelMessages.unknownKey(key, present(form.title), Object.keys(known)));
  } else if (Object.hasOwn(entry.value, key)) {
    refuse(reader, span, modelMessages.keyTwice(key));
  } else {
    const content = readNode(reader, present(known[key]), value, { subject: `\`${key}\``, span });
    entry.value[key] = content === LEFT_OUT ? undefined : content;
    entry.spans[key] = value === null ? span : spanOf(value);
  }
}

function readList(reader: Reader, form: Form, node: Node | null, about: About): unknown {
  const { subject } = about;
  if (!isSeq(node)) return refuseType(reader, node, about, 'a list');
  if (node.items.length < (form.minItems ?? 0)) {
    return refuse(reader, spanOf(node), modelMessages.tooFew(subject));
  }
  const item: Form = present(form.items);
  const itemSubject = item.title === undefined ? `each of ${subject}` : `each ${item.title}`;
  const values: unknown[] = [];
  for (const itemNode of node.items as (Node | null)[]) {
    const value = readNode(reader, item, itemNode, { subject: itemSubject, span: spanOf(itemNode ?? node) });
    if (value !== LEFT_OUT) values.push(value);
  }
  return values;
}

function readText(reader: Reader, form: Form, node: Node | null, about: About): unknown {
  const { subject } = about;
  if (!isScalar(node) || node.value === null) return refuseType(reader, node, about, 'a string');
  const text = node.value;
  if (typeof text !== 'string') {
    return refuse(reader, spanOf(node), modelMessages.quoteIt(subject, node.source ?? String(text)));
  }
  const words = form.enum ?? form.anyOf?.[0].enum;
  if (words !== undefined) {
    const match = form.enum ? words.find((word) => word === text) : findWord(words, text);
    return match ?? refuse(reader, spanOf(node), modelMessages.wrongWord(subject, text, words));
  }
  const wanted = findWanted(form, text);
  return wanted === null ? text : refuse(reader, spanOf(node), modelMessages.wrongForm(subject, wanted));
}

/** The expected form of a string; null for a valid string. */
function findWanted({ pattern, patternErrorMessage }: Form, text: string): string | null {
  if (!text.isWellFormed() || text.includes('\0')) return 'well-formed Unicode without NUL';
  return pattern === undefined || toPattern(pattern).test(text) ? null : present(patternErrorMessage);
}

function findWord(words: readonly string[], text: string): string | undefined {
  const folded = text.toLowerCase();
  return words.find((word) => word.toLowerCase() === folded);
}

const patterns = new Map<string, RegExp>();

function toPattern(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'u');
  patterns.set(pattern, made);
  return made;
}

function refuseType(reader: Reader, node: Node | null, { subject, span }: About, wanted: string) {
  const at = node === null ? span : spanOf(node);
  return refuse(reader, at, modelMessages.wrongType(subject, wanted, describe(node)));
}

function describe(node: Node | null): string {
  if (isMap(node)) return 'a map of keys and values';
  if (isSeq(node)) return 'a list';
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'true or false';
  return value === null || value === undefined ? 'nothing' : 'a number';
}

function spanOf({ range }: Node): Span {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}
