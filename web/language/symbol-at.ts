import type { Text } from '@codemirror/state';
import { findPlace } from './place.ts';
import type { ScanRules } from './scan/scan-line.ts';
import type { ScriptSymbol, SymbolSource } from './symbols.ts';

/** A name in an expression, and what it means. */
interface NamedSymbol {
  readonly symbol: ScriptSymbol;
  readonly from: number;
  readonly to: number;
}

/** In longer lines, names have no meaning. */
const MAX_LINE_LENGTH = 10_000;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** The symbol whose name is at a position, in an expression or in its own declaration; null without one. */
export async function findSymbolAt(
  doc: Text,
  position: number,
  rules: ScanRules,
  symbols: SymbolSource,
): Promise<NamedSymbol | null> {
  const { from, text } = doc.lineAt(position);
  if (text.length > MAX_LINE_LENGTH) return null;
  const match = [...text.matchAll(NAME)].find(
    ({ index, 0: name }) => index <= position - from && position - from <= index + name.length,
  );
  if (match === undefined || findPlace(doc, from + match.index, rules).state.place === 'body') return null;
  const [name] = match;
  const owner = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(text.slice(0, match.index))?.[1] ?? null;
  const { data } = await symbols.list(doc);
  const symbol = data.find((candidate) => candidate.name === name && candidate.import === owner);
  const start = from + match.index;
  return symbol === undefined ? null : { symbol, from: start, to: start + name.length };
}
