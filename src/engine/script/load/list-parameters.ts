import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { findPosition, getLineMap } from '../../text/line-map.ts';
import type { Source } from '../../text/source.ts';
import { substituteInLongText } from '../params/params.ts';
import { parseLongScript } from '../syntax/parse-script.ts';
import { findParameterUses, type ParameterType, type ParameterUse } from './parameter-uses.ts';

/** A parameter of a script (docs/reference/parameters.md#descriptions), as a form needs it. */
export interface ScriptParameter {
  readonly name: string;
  /** The type that its uses suggest; null if they suggest none, or several. */
  readonly type: ParameterType | null;
  /** The value that a comment suggests. */
  readonly default: string | number | boolean | null;
  /** Whether a run without it fails where it is used; inside quotes, the text stays. */
  readonly is_required: boolean;
  /** The text of a comment `-- $name: text`. */
  readonly doc: string | null;
  readonly line: number;
  readonly column: number;
}

const MAX_PARAMETERS = 500;

/**
 * Lists the parameters of a script in the order of their first use: in expressions, in SQL, in strings and quoted
 * names. Comments and dollar quotes contain none. In a script with errors, only valid declarations count.
 */
export function* listParameters(
  source: Source,
  lexicalRules: LexicalRules,
): Interruptible<readonly ScriptParameter[]> {
  const { file } = yield* parseLongScript(yield* substituteInLongText(source, {}));
  const byName = Map.groupBy(yield* findParameterUses(file, lexicalRules), ({ name }) => name);
  const comments = readComments(source.text);
  return [...byName].slice(0, MAX_PARAMETERS).map(([name, own]) => toParameter(source, name, own, comments));
}

function toParameter(
  source: Source,
  name: string,
  uses: readonly ParameterUse[],
  comments: ReadonlyMap<string, Comment>,
): ScriptParameter {
  const [first] = uses;
  const types = new Set(uses.flatMap(({ type }) => type ?? []));
  const [only = null] = types;
  const type = types.size === 1 ? only : null;
  const { value = null, doc = null } = comments.get(name) ?? {};
  const { line, column } = findPosition(getLineMap(source), first?.start ?? 0);
  const isRequired = uses.some((use) => use.isRequired);
  return { name, type, default: convert(value, type), is_required: isRequired, doc, line, column };
}

function convert(value: string | null, type: ParameterType | null): ScriptParameter['default'] {
  if (value === null || type === null || type === 'string') return value;
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : null;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
}

interface Comment {
  readonly value: string | null;
  readonly doc: string | null;
}

/** The start of a comment about a parameter, and at most 1000 characters of its text. */
const COMMENT = /^[^\S\n\r\u2028\u2029]*--[^\S\n\r\u2028\u2029]*\$\$?([A-Za-z_]\w*)([^\n]{0,1000})/gm;
const MAX_TEXT = 500;

/** The comments about parameters: `-- $name: text`, `-- $name = value: text` or `-- $name = value`. */
function readComments(text: string): ReadonlyMap<string, Comment> {
  const comments = new Map<string, Comment>();
  for (const [, name = '', rest = ''] of text.matchAll(COMMENT)) {
    const comment = comments.has(name) ? null : readComment(rest.trim());
    if (comment !== null) comments.set(name, comment);
  }
  return comments;
}

function readComment(rest: string): Comment | null {
  if (rest.startsWith(':')) return { value: null, doc: shorten(rest.slice(1)) };
  if (!rest.startsWith('=')) return null;
  const end = rest.search(/:(?:\s|$)/);
  if (end === -1) return { value: shorten(rest.slice(1)), doc: null };
  return { value: shorten(rest.slice(1, end)), doc: shorten(rest.slice(end + 1)) };
}

function shorten(text: string): string | null {
  return text.trim().slice(0, MAX_TEXT).toWellFormed() || null;
}
