import type { Span } from '../../text/span.ts';
import type { MapExpression, Parameter, ScriptFile } from './ast.ts';
import { findEntry } from './find-entry.ts';

/** What a declaration offers to those who use its name. */
export interface Summary {
  readonly kind: 'block' | 'test' | 'macro' | 'constant';
  readonly name: string;
  readonly params: readonly ParameterSummary[];
  /** The return type as written; null if omitted. */
  readonly returns: string | null;
  /** The `:doc` of the metadata, else the comment directly above. */
  readonly doc: string | null;
  /** The name in the text with its parameters replaced. */
  readonly span: Span;
}

interface ParameterSummary {
  readonly name: string;
  /** The expression; null if an argument is required. */
  readonly default: string | null;
}

/** The maximum UTF-16 units of a doc text, and of a default. */
const MAX_DOC = 2_000;
const MAX_DEFAULT = 200;
/** The maximum lines of a comment that are read. */
const MAX_LINES = 40;

/** Summarizes the named declarations of a script, in source order. */
export function summarize({ blocks, macros, constants, rendered: { text } }: ScriptFile): readonly Summary[] {
  const summaries: Summary[] = [];
  for (const { kind, name, params, returns, meta, start } of blocks) {
    if (name === null || kind === 'anonymous') continue;
    const doc = readDoc(meta) ?? readComment(text, start);
    const signature = { kind, name: name.name, params: print(params, text), returns: returns?.name ?? null };
    summaries.push({ ...signature, doc, span: { start: name.start, end: name.end } });
  }
  for (const { name, params, start } of macros) {
    const signature = { kind: 'macro', name: name.name, params: print(params, text), returns: null } as const;
    summaries.push({
      ...signature,
      doc: readComment(text, start),
      span: { start: name.start, end: name.end },
    });
  }
  for (const { name, start } of constants) {
    const signature = { kind: 'constant', name: name.name, params: [], returns: null } as const;
    summaries.push({
      ...signature,
      doc: readComment(text, start),
      span: { start: name.start, end: name.end },
    });
  }
  return summaries.sort((left, right) => left.span.start - right.span.start);
}

function print(params: readonly Parameter[], text: string): readonly ParameterSummary[] {
  return params.map(({ name, default: value }) => {
    const written = value === null ? null : text.slice(value.start, value.end);
    return { name, default: written === null ? null : shorten(written, MAX_DEFAULT) };
  });
}

function readDoc(meta: MapExpression | null): string | null {
  const doc = findEntry(meta, 'doc');
  if (doc?.kind !== 'literal' || typeof doc.value !== 'string') return null;
  return shorten(doc.value.trim(), MAX_DOC) || null;
}

/** The lines of `--` comments directly above a declaration. */
function readComment(text: string, start: number): string | null {
  const lines: string[] = [];
  for (let end = text.lastIndexOf('\n', start - 1); end > 0 && lines.length < MAX_LINES; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    const line = /^\s*--+\s?(.*)$/.exec(text.slice(from, Math.min(end, from + MAX_DOC)))?.[1];
    if (line === undefined) break;
    lines.unshift(line.trimEnd());
    end = from - 1;
  }
  return shorten(lines.join('\n').trim(), MAX_DOC) || null;
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
