import { duckdb, formatDialect, mysql, postgresql, trino } from 'sql-formatter';
import { substituteParams } from '../../../src/engine/script/params/params.ts';
import type { BlockDeclaration, Body, ScriptFile } from '../../../src/engine/script/syntax/ast.ts';
import { parseScript } from '../../../src/engine/script/syntax/parse-script.ts';
import { summarize } from '../../../src/engine/script/syntax/summarize.ts';
import { LEXICAL_RULES } from '../../../src/engine/text/lexical-rules.ts';
import { scanSql } from '../../../src/engine/text/sql-scanner.ts';
import type { EditorDialect } from '../sql-keywords.ts';
import { hasAdjacentStrings, hasSameTokens } from './compare-tokens.ts';

/** A replacement in a text. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The changes that format a script, and what stays as it is. */
interface Formatting {
  readonly changes: readonly Change[];
  /** The number of all blocks, also of those that stay as they are. */
  readonly blocks: number;
  readonly left: readonly LeftBlock[];
}

/** Why a block is not formatted. */
type Reason = 'conditions' | 'loops' | 'meaning';

/** A block that is not formatted. */
interface LeftBlock {
  /** Null for SQL outside of blocks. */
  readonly name: string | null;
  /** Of its start, counted from 1. */
  readonly line: number;
  readonly reason: Reason;
}

const DIALECTS = { duckdb, postgresql, mysql, trino } as const;
const STYLE = { keywordCase: 'preserve', tabWidth: 4, linesBetweenQueries: 1 } as const;

/**
 * Formats the SQL of a script. Directives and expressions stay as they are, and so does a body with conditions or loops, or
 * whose tokens would change. Null for a script with syntax errors.
 */
export function formatScript(text: string, dialect: EditorDialect): Formatting | null {
  const file = parse(text);
  if (file === null) return null;
  const changes: Change[] = [];
  const left: LeftBlock[] = [];
  const toLeft = ({ name, start }: BlockDeclaration, reason: Reason): LeftBlock => {
    return { name: name?.name ?? null, line: text.slice(0, start).split('\n').length, reason };
  };
  for (const block of file.blocks) {
    const { body, kind, start } = block;
    const isAnonymous = kind === 'anonymous' && !text.startsWith('#+src', start);
    const { formatted, reason } = formatBody(body, text, dialect);
    if (reason !== undefined) {
      left.push(toLeft(block, reason));
      continue;
    }
    const bodyText = text.slice(body.start, body.end);
    const from = body.start + (isAnonymous ? bodyText.length - bodyText.trimStart().length : 0);
    const to = isAnonymous ? body.start + bodyText.trimEnd().length : body.end;
    const insert = isAnonymous || formatted === '' ? formatted : `\n${formatted}\n`;
    if (text.slice(from, to) !== insert) changes.push({ from, to, insert });
  }
  const blocks = file.blocks.length;
  if (isSameScript(file, parse(apply(text, changes)))) return { changes, blocks, left };
  return { changes: [], blocks, left: file.blocks.map((block) => toLeft(block, 'meaning')) };
}

/**
 * Applies changes in ascending order.
 *
 * @internal
 */
export function apply(text: string, changes: readonly Change[]): string {
  let done = 0;
  const pieces = changes.map(({ from, to, insert }) => {
    const piece = text.slice(done, from) + insert;
    done = to;
    return piece;
  });
  return pieces.join('') + text.slice(done);
}

/** Parses a script; null for one with syntax errors. */
function parse(text: string): ScriptFile | null {
  const { file, diagnostics } = parseScript(substituteParams({ name: '', text }, {}));
  return diagnostics.length > 0 ? null : file;
}

/** Whether two scripts have the same declarations, and as many blocks. */
function isSameScript(one: ScriptFile, other: ScriptFile | null): boolean {
  if (other === null || one.blocks.length !== other.blocks.length) return false;
  const print = (file: ScriptFile) => JSON.stringify(summarize(file).map(({ span, ...summary }) => summary));
  return print(one) === print(other);
}

/** What a formatting says to the person, and whether it has changed something. */
export function printFormatting({
  changes,
  blocks,
  left,
}: Formatting): readonly [text: string, isDone: boolean] {
  const isDone = changes.length > 0;
  const done = blocks - left.length;
  const what = isDone
    ? `Formatted ${left.length > 0 ? `${done} of ${printBlocks(blocks)}` : printBlocks(blocks)}`
    : 'Nothing to format';
  const reasons = left.slice(0, MAX_NAMED).map(printLeft);
  const more = left.length > MAX_NAMED ? [`${left.length - MAX_NAMED} more stay as they are`] : [];
  return [[what, ...reasons, ...more].join('; '), isDone];
}

/** The maximum of blocks that a message names. */
const MAX_NAMED = 3;

const printBlocks = (count: number) => `${count} ${count === 1 ? 'block' : 'blocks'}`;

const REASONS: Readonly<Record<Reason, string>> = {
  conditions: 'has conditions',
  loops: 'has loops',
  meaning: 'could get another meaning',
};

function printLeft({ name, line, reason }: LeftBlock): string {
  return `${name === null ? `the SQL in line ${line}` : `\`${name}\``} ${REASONS[reason]}`;
}

interface FormattedSql {
  readonly formatted: string;
  /** Why the body must stay as it is. */
  readonly reason?: Reason;
}

/** Formats the SQL of a body. */
function formatBody(body: Body, text: string, dialect: EditorDialect): FormattedSql {
  const stay = (reason: Reason) => ({ formatted: '', reason });
  if (body.parts.some(({ kind }) => kind === 'if')) return stay('conditions');
  if (body.parts.some(({ kind }) => kind === 'for')) return stay('loops');
  const lexicalRules = LEXICAL_RULES[dialect];
  const bodyText = text.slice(body.start, body.end);
  const spans = body.parts
    .filter(({ kind }) => kind === 'interpolation')
    .map(({ start, end }) => ({ start: start - body.start, end: end - body.start }));
  const expressions = hide(bodyText, spans);
  const parameters = hide(
    expressions.text,
    [...scanSql(expressions.text, lexicalRules)].filter(
      ({ kind, start }) =>
        kind === 'parameter' || (kind === 'word' && expressions.text.charAt(start) === '$'),
    ),
  );
  const sql = parameters.text.trim();
  if (hasAdjacentStrings(sql, lexicalRules)) return stay('meaning');
  const formatted = formatSql(sql, dialect);
  if (formatted === null || !hasSameTokens(sql, formatted, lexicalRules)) return stay('meaning');
  return { formatted: expressions.show(parameters.show(formatted)) };
}

/** Formats SQL twice, because the library does not always return its own output unchanged. */
function formatSql(sql: string, dialect: EditorDialect): string | null {
  const options = { dialect: DIALECTS[dialect], ...STYLE };
  try {
    const once = formatDialect(sql, options);
    const twice = formatDialect(once, options);
    return formatDialect(twice, options) === twice ? twice : null;
  } catch {
    // The library does not know all of SQL.
    return null;
  }
}

interface Hidden {
  readonly text: string;
  /** Puts the hidden parts back into a text. */
  readonly show: (text: string) => string;
}

/** Replaces parts of a text by names that do not occur in it. */
function hide(text: string, spans: readonly { readonly start: number; readonly end: number }[]): Hidden {
  let prefix = 'hidden';
  while (text.includes(prefix)) prefix += 'x';
  const parts = spans.map(({ start, end }) => text.slice(start, end));
  const changes = spans.map(({ start, end }, at) => ({ from: start, to: end, insert: `${prefix}${at}z` }));
  const pattern = new RegExp(`${prefix}(\\d+)z`, 'g');
  return {
    text: apply(text, changes),
    show: (formatted) => formatted.replace(pattern, (_, at: string) => parts[Number(at)] ?? ''),
  };
}
