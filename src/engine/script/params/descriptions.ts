import { suggest } from '../../../text/suggest.ts';
import { createDiagnostic, type Diagnostic } from '../../text/diagnostic.ts';
import type { Source } from '../../text/source.ts';
import type { Span } from '../../text/span.ts';
import { ParamError, type Params, printParams } from './params.ts';

/** What a comment says about a parameter (docs/reference/parameters.md#descriptions). */
export interface ParamDescription {
  readonly value: string | null;
  readonly doc: string | null;
  /** The only values that a run accepts, as text; null if it accepts every value. */
  readonly choices: readonly string[] | null;
  /** The comment, without its `--`. */
  readonly span: Span;
}

/** The start of a comment about a parameter, and at most 10,000 characters of its text. */
const COMMENT =
  /^([^\S\n\r\u2028\u2029]*--[^\S\n\r\u2028\u2029]*)(\$\$?([A-Za-z_]\w*))([^\n\r\u2028\u2029]{0,10000})/gm;
const MAX_TEXT = 500;

/**
 * The comments of a script about parameters, the first one for each: `-- $name: text`, `-- $name = value` or
 * `-- $name = value: text`, each also with choices, as in `-- $name in (a, 'b, c') = a: text`.
 */
export function readDescriptions(text: string): ReadonlyMap<string, ParamDescription> {
  const descriptions = new Map<string, ParamDescription>();
  for (const { index, 1: before = '', 2: reference = '', 3: name = '', 4: tail = '' } of text.matchAll(
    COMMENT,
  )) {
    const found = descriptions.has(name) ? null : readTail(tail.trim());
    const start = index + before.length;
    const end = start + reference.length + tail.trimEnd().length;
    if (found !== null) descriptions.set(name, { ...found, span: { start, end } });
  }
  return descriptions;
}

type Tail = Omit<ParamDescription, 'span'>;

/** Null for a comment that does not describe the parameter. */
function readTail(tail: string): Tail | null {
  const opening = /^in\s*\(/i.exec(tail)?.[0];
  if (opening === undefined) return readValue(tail, null);
  const choices: string[] = [];
  for (let at = opening.length; ; ) {
    const item = readItem(tail, at, /[^,)'"]*/y);
    if (item === null) return null;
    choices.push(item.text);
    const sign = tail.charAt(item.end);
    if (sign === ')') return readValue(tail.slice(item.end + 1).trim(), [...new Set(choices)]);
    if (sign !== ',') return null;
    at = item.end + 1;
  }
}

function readValue(tail: string, choices: Tail['choices']): Tail | null {
  if (tail.startsWith(':')) return { value: null, doc: shorten(tail.slice(1)), choices };
  if (tail === '' && choices !== null) return { value: null, doc: null, choices };
  if (!tail.startsWith('=')) return null;
  const quoted = choices === null ? null : readItem(tail, 1, /(?!)/y);
  const rest = quoted === null ? null : tail.slice(quoted.end).trim();
  if (quoted !== null && (rest === '' || rest?.startsWith(':'))) {
    return { value: quoted.text, doc: shorten(rest.slice(1)), choices };
  }
  const end = tail.search(/:(?:\s|$)/);
  if (end === -1) return { value: shorten(tail.slice(1)), doc: null, choices };
  return { value: shorten(tail.slice(1, end)), doc: shorten(tail.slice(end + 1)), choices };
}

const QUOTED = /'((?:[^']|'')*)'|"((?:[^"]|"")*)"/y;

/** Reads a text in quotes, which are doubled inside it, or else a `plain` one. Null without a text, and for an empty plain one. */
function readItem(text: string, from: number, plain: RegExp): { text: string; end: number } | null {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  QUOTED.lastIndex = start;
  const [written, single, double] = QUOTED.exec(text) ?? [];
  if (written !== undefined) {
    const end = start + written.length;
    const item = single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"') ?? '';
    return { text: item, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) };
  }
  plain.lastIndex = start;
  const bare = plain.exec(text)?.[0] ?? '';
  return bare.trim() === '' ? null : { text: bare.trim().toWellFormed(), end: start + bare.length };
}

function shorten(text: string): string | null {
  return text.trim().slice(0, MAX_TEXT).toWellFormed() || null;
}

/** The comments of a source whose choices do not include the default: theirs, or that of the project. */
export function checkDefaults(source: Source, ofProject: Params): readonly Diagnostic[] {
  const textsOfProject = printParams(ofProject);
  return [...readDescriptions(source.text)].flatMap(([name, { value, choices, span }]) => {
    const describe = (owner: string, text: string | null) => {
      if (choices === null || text === null || choices.includes(text)) return [];
      const message = `the default of \`$${name}\` ${owner}is ${describeOutside(text, choices)}`;
      return [createDiagnostic(source, span, message, 'parameter')];
    };
    const others = textsOfProject.get(name) ?? [];
    return [...describe('', value), ...others.flatMap((text) => describe('in project.toml ', text))];
  });
}

/** Throws a ParamError for a value outside of the choices that a source describes. */
export function checkChoices(params: Params, { text }: Source): void {
  if (Object.keys(params).length === 0) return;
  const descriptions = readDescriptions(text);
  for (const [name, given] of printParams(params)) {
    const choices = descriptions.get(name)?.choices ?? null;
    const outside = choices === null ? undefined : given.find((value) => !choices.includes(value));
    if (choices === null || outside === undefined) continue;
    throw new ParamError(`parameter \`$${name}\` is ${describeOutside(outside, choices)}`);
  }
}

/** Maximum choices, and characters of a value, in a message. */
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 60;

function describeOutside(value: string, choices: readonly string[]): string {
  const more = choices.length > MAX_SHOWN ? `, and ${choices.length - MAX_SHOWN} more` : '';
  const near = suggest(value.slice(0, MAX_SHOWN_LENGTH), choices);
  const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return `${quote(value)}, but must be one of ${choices.slice(0, MAX_SHOWN).map(quote).join(', ')}${more}${hint}`;
}

function quote(value: string): string {
  return `\`${value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value}\``;
}
