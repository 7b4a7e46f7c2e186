import { substituteParams } from '../../src/engine/script/params/params.ts';
import type { Body, Part, ScriptFile } from '../../src/engine/script/syntax/ast.ts';
import { parseScript } from '../../src/engine/script/syntax/parse-script.ts';
import { LEXICAL_RULES, type LexicalRules } from '../../src/engine/text/lexical-rules.ts';
import type { Span } from '../../src/engine/text/span.ts';
import { findStatements } from '../../src/engine/text/sql-scanner.ts';
import type { EditorDialect } from './sql-keywords.ts';

/** A part of a text, in UTF-16 units. */
export type ScriptPart = Span;

/** A block or a test of a script, as a run needs it. */
export interface ScriptBlock {
  readonly name: string;
  readonly params: readonly {
    readonly name: string;
    /** The expression of the default; null if a call needs the argument. */
    readonly default: string | null;
  }[];
}

/** The block or test of a script at an offset; null between them. */
export function findBlockAt(text: string, offset: number): ScriptBlock | null {
  const block = parse(text).blocks.find(({ start, end }) => start <= offset && offset <= end);
  if (!block?.name) return null;
  const params = block.params.map(({ name, default: value }) => ({
    name,
    default: value === null ? null : text.slice(value.start, value.end),
  }));
  return { name: block.name.name, params };
}

/**
 * The statement of a script at an offset: the one around it, or after it on the same line; else the next one, and after
 * the last one that. A condition or a loop around whole statements counts as one. Null in a block, and without
 * statements.
 */
export function findStatementAt(text: string, offset: number, dialect: EditorDialect): ScriptPart | null {
  const lexicalRules = LEXICAL_RULES[dialect];
  const { blocks, macros } = parse(text);
  const declared = [...blocks.filter(({ kind }) => kind !== 'anonymous'), ...macros];
  if (declared.some(({ start, end }) => start <= offset && offset <= end)) return null;
  const statements = blocks
    .filter(({ kind }) => kind === 'anonymous')
    .flatMap(({ body }) => listStatements(text, body, lexicalRules));
  const before = statements.findLast(({ start }) => start <= offset);
  const isHere =
    before !== undefined && (offset <= before.end || !text.slice(before.end, offset).includes('\n'));
  if (isHere) return before;
  return statements.find(({ start }) => start > offset) ?? before ?? null;
}

function listStatements(text: string, body: Body, lexicalRules: LexicalRules): readonly Span[] {
  const partEnds = new Set(
    body.parts.filter(({ kind }) => kind === 'if' || kind === 'for').map(({ end }) => end),
  );
  return findStatements(mask(text, body, lexicalRules), lexicalRules).map(({ start, end }) => {
    const masked = body.start + end;
    // The semicolon of the mask is the last character of its part.
    return { start: body.start + start, end: partEnds.has(masked + 1) ? masked + 1 : masked };
  });
}

/** The SQL of a body, in which each other part is a word as long as it, so that it does not end a statement within. */
function mask(text: string, { parts }: Body, lexicalRules: LexicalRules): string {
  return parts
    .map((part) => {
      const source = text.slice(part.start, part.end);
      if (part.kind === 'text' || part.kind === 'comment') return source;
      const word = 'x'.repeat(source.length);
      return hasStatements(text, part, lexicalRules) ? `${word.slice(1)};` : word;
    })
    .join('');
}

/** Whether a condition or a loop has whole statements in it. */
function hasStatements(text: string, part: Part, lexicalRules: LexicalRules): boolean {
  const bodies =
    part.kind === 'if'
      ? [...part.branches.map(({ body }) => body), ...(part.otherwise === null ? [] : [part.otherwise])]
      : part.kind === 'for'
        ? [part.body]
        : [];
  return bodies.some((body) => {
    const masked = mask(text, body, lexicalRules);
    const [first] = findStatements(masked, lexicalRules);
    return first !== undefined && masked.slice(first.end).trimStart().startsWith(';');
  });
}

/**
 * A script that runs only a part of another one, and in which each position is the same: the statements outside of the
 * part become spaces. Imports, blocks, macros and constants stay, except for one that contains the part.
 */
export function keepPart(text: string, part: ScriptPart): string {
  const { blocks, macros } = parse(text);
  const isInside = (span: Span) => span.start <= part.start && part.end <= span.end;
  const statements = blocks.filter(({ kind }) => kind !== 'block');
  const around = [...blocks, ...macros].filter(isInside);
  const blanks = [...new Set<Span>([...statements, ...around])].toSorted(
    (one, other) => one.start - other.start,
  );
  let done = 0;
  const pieces: string[] = [];
  for (const { start, end } of blanks) {
    pieces.push(text.slice(done, start), blank(text, start, Math.min(end, Math.max(start, part.start))));
    pieces.push(
      text.slice(Math.max(start, Math.min(end, part.start)), Math.min(end, Math.max(start, part.end))),
    );
    pieces.push(blank(text, Math.max(start, Math.min(end, part.end)), end));
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

function parse(text: string): ScriptFile {
  return parseScript(substituteParams({ name: '', text }, {})).file;
}

/** As many spaces as characters; lines stay. */
function blank(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(/[^\r\n]/g, ' ');
}
