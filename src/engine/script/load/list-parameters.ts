import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { findPosition, getLineMap } from '../../text/line-map.ts';
import type { Source } from '../../text/source.ts';
import { substituteInLongText } from '../params/params.ts';
import { parseLongScript } from '../syntax/parse-script.ts';
import { findParameterUses, type ParameterType, type ParameterUse } from './parameter-uses.ts';

/** A parameter of a script (language 4), as a form needs it. */
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
 * Lists the parameters of a script in the order of their first use: in expressions, in SQL, in strings and quoted names.
 * Comments and dollar quotes contain none. In a script with errors, only valid declarations count.
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

/** `-- $name: text`, `-- $name = value: text` or `-- $name = value`. */
const COMMENT =
  /^[^\S\n]*--[^\S\n]*\$\$?([A-Za-z_]\w*)[^\S\n]*(?:=[^\S\n]*([^\n]*?))?(?::[^\S\n]([^\n]*)|:?)[^\S\n]*$/gm;
const MAX_TEXT = 500;

/** The comments about parameters. */
function readComments(text: string): ReadonlyMap<string, Comment> {
  const comments = new Map<string, Comment>();
  for (const [, name = '', value, doc] of text.matchAll(COMMENT)) {
    if (comments.has(name) || (value === undefined && doc === undefined)) continue;
    const short = (own: string | undefined) => own?.trim().slice(0, MAX_TEXT).toWellFormed() || null;
    comments.set(name, { value: short(value), doc: short(doc) });
  }
  return comments;
}
