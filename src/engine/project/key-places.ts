import { parse } from 'smol-toml';
import type { Span } from '../text/span.ts';

/** The positions of the keys of a TOML document. */
export interface KeyPlaces {
  /** The span of the value at a path or of the header of a table; if missing, that of the nearest existing table. */
  find(path: readonly string[]): Span;
}

/** A key and the keys below it. The tree's memory is linear in the document's size, even with long dotted paths. */
interface KeyNode {
  span: Span | null;
  readonly below: Map<string, KeyNode>;
}

interface Scan {
  readonly text: string;
  readonly root: KeyNode;
  at: number;
}

interface Key {
  readonly names: readonly string[];
  readonly span: Span;
}

/** Finds the keys of a valid TOML document, for messages about their values; ignores keys inside arrays. */
export function findKeyPlaces(text: string): KeyPlaces {
  const scan: Scan = { text, root: createNode(), at: text.startsWith('\ufeff') ? 1 : 0 };
  let table = scan.root;
  for (skipBlank(scan); scan.at < text.length; skipBlank(scan)) {
    if (text[scan.at] === '[') table = readHeader(scan);
    else readPair(scan, table);
  }
  return {
    find(path) {
      let node: KeyNode | undefined = scan.root;
      let nearest: Span = { start: 0, end: 0 };
      for (const name of path) {
        node = node.below.get(name);
        if (node === undefined) break;
        nearest = node.span ?? nearest;
      }
      return nearest;
    },
  };
}

function createNode(): KeyNode {
  return { span: null, below: new Map() };
}

/** header: '[' key ']' | '[[' key ']]' */
function readHeader(scan: Scan): KeyNode {
  skipAny(scan, '[ \t');
  const { names, span } = readKey(scan);
  const node = note(scan.root, names, span);
  node.span = span;
  skipAny(scan, '] \t');
  return node;
}

/** pair: key '=' value */
function readPair(scan: Scan, table: KeyNode | null): void {
  const { names, span } = readKey(scan);
  scan.at++;
  skipBlank(scan);
  const node = table && note(table, names, span);
  const start = scan.at;
  skipValue(scan, node);
  if (node !== null) node.span = { start, end: scan.at };
}

/** A table that exists only through a dotted key has the position of that key. */
function note(table: KeyNode, names: readonly string[], key: Span): KeyNode {
  let node = table;
  for (const name of names) {
    const next = node.below.get(name) ?? createNode();
    next.span ??= key;
    node.below.set(name, next);
    node = next;
  }
  return node;
}

/** key: name ('.' name)*; also skips the spaces after it. */
function readKey(scan: Scan): Key {
  const start = scan.at;
  const names: string[] = [];
  for (let end = start; ; ) {
    names.push(readName(scan));
    end = scan.at;
    skipAny(scan, ' \t');
    if (scan.text[scan.at] !== '.') return { names, span: { start, end } };
    skipAny(scan, '. \t');
  }
}

/** name: bare | '"' … '"' | "'" … "'" */
function readName(scan: Scan): string {
  const start = scan.at;
  if (!isQuote(scan.text[start])) {
    skipUntil(scan, ' \t.=]');
    return scan.text.slice(start, scan.at);
  }
  skipString(scan);
  return String(parse(`name = ${scan.text.slice(start, scan.at)}`).name);
}

/** value: string | array | inline table | anything else. Keys are kept if `node` is not null. */
function skipValue(scan: Scan, node: KeyNode | null): void {
  const first = scan.text[scan.at];
  if (isQuote(first)) skipString(scan);
  else if (first === '[') skipItems(scan, ']', () => skipValue(scan, null));
  else if (first === '{') skipItems(scan, '}', () => readPair(scan, node));
  else skipScalar(scan);
}

/** A date and its time can be separated by a space. */
function skipScalar(scan: Scan): void {
  const start = scan.at;
  skipUntil(scan, '\r\n#,]}');
  scan.at = start + scan.text.slice(start, scan.at).trimEnd().length;
}

function skipItems(scan: Scan, close: string, skipItem: () => void): void {
  scan.at++;
  for (skipSeparator(scan); scan.at < scan.text.length && scan.text[scan.at] !== close; skipSeparator(scan)) {
    skipItem();
  }
  scan.at++;
}

function skipSeparator(scan: Scan): void {
  for (skipBlank(scan); scan.text[scan.at] === ','; skipBlank(scan)) scan.at++;
}

/** string: in one or three quotes of either kind; only `"` has escapes; two more quotes can precede closing three. */
function skipString(scan: Scan): void {
  const { text } = scan;
  const quote = text.charAt(scan.at);
  const fence = text.startsWith(quote.repeat(3), scan.at) ? quote.repeat(3) : quote;
  scan.at += fence.length;
  while (scan.at < text.length && !text.startsWith(fence, scan.at)) {
    scan.at += quote === '"' && text[scan.at] === '\\' ? 2 : 1;
  }
  scan.at += fence.length;
  for (let more = fence.length - 1; more > 0 && text[scan.at] === quote; more--) scan.at++;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

function skipBlank(scan: Scan): void {
  for (skipAny(scan, ' \t\r\n'); scan.text[scan.at] === '#'; skipAny(scan, ' \t\r\n')) skipUntil(scan, '\n');
}

function skipAny(scan: Scan, characters: string): void {
  while (scan.at < scan.text.length && characters.includes(scan.text.charAt(scan.at))) scan.at++;
}

function skipUntil(scan: Scan, characters: string): void {
  while (scan.at < scan.text.length && !characters.includes(scan.text.charAt(scan.at))) scan.at++;
}
