import { finish } from '../../engine/text/interruptible.ts';
import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { cutStatements, scanSql } from '../../engine/text/sql-scanner.ts';

/** A command of the session, or statements that end with semicolons. */
export type Input =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'sql'; readonly text: string };

/** A text that was entered, up to the statement that is not complete. */
export interface SplitInput {
  readonly inputs: readonly Input[];
  /** The start of the next statement; empty without one. */
  readonly rest: string;
}

/** A line at the start of a statement that is a command. */
const COMMAND = /^(?:\.\S|\\\S|(?:quit|exit|help)\s*;?\s*$)/i;

/** Splits a text at its commands, and at the semicolons outside of quotes and comments. */
export function splitInput(text: string, rules: LexicalRules): SplitInput {
  const inputs: Input[] = [];
  let rest = text;
  for (;;) {
    rest = rest.replace(/^\s+/, '');
    const line = /^[^\n]*/.exec(rest)?.[0] ?? '';
    if (COMMAND.test(line)) {
      inputs.push({ kind: 'command', line: line.trim() });
      rest = rest.slice(line.length);
      continue;
    }
    const end = takeStatements(rest, rules, inputs);
    // A comment after the last statement does not start another one.
    if (end === 0) return { inputs, rest: inputs.length > 0 && isComment(rest, rules) ? '' : rest };
    rest = rest.slice(end);
  }
}

/** Adds the statements up to the next command, with the comments before them; returns where they end. */
function takeStatements(text: string, rules: LexicalRules, inputs: Input[]): number {
  const { complete, open } = finish(cutStatements(text, rules));
  let at = 0;
  for (const [index, { end }] of complete.entries()) {
    const start = at;
    at = findSemicolonEnd(text, end, rules);
    inputs.push({ kind: 'sql', text: text.slice(start, at).trimStart() });
    const next = complete[index + 1]?.start ?? open?.start;
    if (next !== undefined && COMMAND.test(/^[^\n]*/.exec(text.slice(next, next + 200))?.[0] ?? '')) break;
  }
  return complete.length === 0 && open === null ? findSemicolonEnd(text, 0, rules) : at;
}

/** Where the next semicolon after a position ends, which is not in a statement; 0 without one. */
function findSemicolonEnd(text: string, from: number, rules: LexicalRules): number {
  for (const { kind, start, end } of scanSql(text.slice(from), rules)) {
    if (kind === 'punctuation' && text.charAt(from + start) === ';') return from + end;
  }
  return 0;
}

/** The quote or comment in which a text ends. */
interface OpenQuote {
  /** What ends it; a doubled quote does not. */
  readonly mark: string;
  readonly hasEscapes: boolean;
}

/** Knows whether Enter runs a text that grows, and reads each part of it once. */
export class Completeness {
  #open: OpenQuote | null = null;

  /** `appended` is what follows the text of the last call; null if the text has changed otherwise. */
  check(appended: string | null, readText: () => string, rules: LexicalRules): boolean {
    if (appended !== null && !this.#mayEnd(appended, rules)) return false;
    const text = readText();
    if (text.trim() === '' || splitInput(text, rules).inputs.length > 0) return true;
    this.#open = findOpenQuote(text, rules);
    return false;
  }

  /** Whether a part has a semicolon outside of quotes and comments, as far as the part alone shows. */
  #mayEnd(part: string, rules: LexicalRules): boolean {
    if (this.#open?.mark === '*/' && rules.nestedComments && part.includes('/*')) return true;
    const from = this.#open === null ? 0 : findQuoteEnd(part, this.#open);
    if (from === -1) return false;
    const rest = part.slice(from);
    if (findSemicolonEnd(rest, 0, rules) > 0) return true;
    this.#open = findOpenQuote(rest, rules);
    return false;
  }
}

/** Where an open quote ends in the text that follows; -1 if it does not end there. */
function findQuoteEnd(text: string, { mark, hasEscapes }: OpenQuote): number {
  for (let at = 0; at < text.length; at += 1) {
    if (hasEscapes && text.charAt(at) === '\\') at += 1;
    else if (text.startsWith(mark, at)) {
      if (mark.length > 1 || text.charAt(at + 1) !== mark) return at + mark.length;
      at += 1;
    }
  }
  return -1;
}

function findOpenQuote(text: string, rules: LexicalRules): OpenQuote | null {
  let last: { readonly start: number; readonly terminated: boolean } | undefined;
  for (const token of scanSql(text, rules)) last = token;
  if (last === undefined || last.terminated) return null;
  const opening = /^(?:e?'|["`]|\$\w*\$|\/\*)/i.exec(text.slice(last.start, last.start + 100))?.[0] ?? '';
  if (opening === '/*') return { mark: '*/', hasEscapes: false };
  const hasEscapes = /^e'/i.test(opening) || (rules.backslashEscapes && /['"]/.test(opening));
  return { mark: opening.replace(/^e/i, ''), hasEscapes };
}

/** Whether a text has only comments that are complete. */
function isComment(text: string, rules: LexicalRules): boolean {
  for (const { kind, terminated } of scanSql(text, rules)) {
    if (kind !== 'space' && !(kind === 'comment' && terminated)) return false;
  }
  return true;
}
