import { isRecord } from '../../../invariants/narrow.ts';
import { isDecimal, parseNumber, toDecimalText } from '../../../text/decimal.ts';
import {
  BOUND_TYPES,
  type BoundType,
  type BoundValue,
  toDays,
  toMoment,
  toTimeMicros,
} from '../../connection/contract/bound-value.ts';
import type { ConnectionKind } from '../../connection/contract/connection.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import type { JsonValue } from '../../script/params/json-value.ts';
import { findUnsetInLongText, ParamError, type UnsetParam } from '../../script/params/params.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';

/** The values of a request for the placeholders of its statement: by position, or by name. */
export type BindInput = readonly JsonValue[] | Readonly<Record<string, JsonValue>>;

/** A statement whose placeholders are `$1`, `$2`, …, and their values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly BoundValue[];
}

/** The databases whose drivers bind values. */
const BINDING_KINDS: readonly ConnectionKind[] = ['duckdb', 'postgresql', 'trino'];

const NAME = /^\$?([A-Za-z_][A-Za-z0-9_]*|[1-9]\d{0,5})$/;

/**
 * Numbers the placeholders of a statement, and reads their values (docs/reference/exec.md#bind). Throws a ParamError for
 * a placeholder without a value, a value without a placeholder, and a value of a type that cannot be bound.
 */
export function* bindStatement(
  statement: Statement,
  input: BindInput,
  lexicalRules: LexicalRules,
): Interruptible<BoundStatement> {
  const given = readGiven(input);
  const placeholders = yield* findUnsetInLongText(statement.sql, lexicalRules);
  const names = toNames(placeholders);
  const missing = names.find((name) => !given.has(name));
  if (missing !== undefined) throw new ParamError(`\`${printName(missing)}\` has no value in \`bind\`.`);
  const used = new Set(names);
  const surplus = [...given.keys()].find((name) => !used.has(name));
  if (surplus !== undefined) throw createSurplus(surplus, [...used]);
  const order = [...used];
  const values = order.map((name) => readValue(given.get(name) ?? null, printName(name)));
  return {
    statement: renumber(
      statement,
      placeholders,
      names.map((name) => order.indexOf(name) + 1),
    ),
    values,
  };
}

/** Throws a ParamError if values cannot be bound on a connection. */
export function checkBinds(kind: ConnectionKind, isSemantic: boolean): void {
  if (isSemantic)
    throw new ParamError('`bind` cannot be used with Semantic SQL: write the values in the SQL.');
  if (BINDING_KINDS.includes(kind)) return;
  throw new ParamError(
    `\`bind\` cannot be used on a connection to ${kind}: it needs ${BINDING_KINDS.join(' or ')}.`,
  );
}

/** Whether values are for a placeholder with this name. */
export function bindsName(input: BindInput, name: string): boolean {
  return !Array.isArray(input) && (Object.hasOwn(input, name) || Object.hasOwn(input, `$${name}`));
}

function readGiven(input: BindInput): ReadonlyMap<string, JsonValue> {
  const given = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(input)) {
    const name = Array.isArray(input) ? String(Number(key) + 1) : NAME.exec(key)?.[1];
    if (name === undefined) {
      throw new ParamError(
        `${JSON.stringify(key)} in \`bind\` is not a name of a placeholder: use letters, digits and _, or a number from 1.`,
      );
    }
    if (given.has(name))
      throw new ParamError(`\`bind\` has two values for \`${printName(name)}\`: keep one.`);
    given.set(name, value);
  }
  return given;
}

/** The name of each placeholder; each `?` has the next number. */
function toNames(placeholders: readonly UnsetParam[]): readonly string[] {
  let count = 0;
  const isAnonymous = placeholders.map(({ name }) => name === '?');
  if (isAnonymous.includes(true) && isAnonymous.includes(false)) {
    throw new ParamError('The statement has `?` and other placeholders: use one form.');
  }
  return placeholders.map(({ kind, name }) => {
    if (name === '?') {
      count += 1;
      return String(count);
    }
    return kind === 'named' ? name : name.slice(1);
  });
}

function createSurplus(name: string, used: readonly string[]): ParamError {
  const others =
    used.length === 0
      ? 'no placeholder'
      : `only ${used
          .map((one) => `\`${printName(one)}\``)
          .slice(0, 10)
          .join(', ')}`;
  return new ParamError(`\`bind\` has a value for \`${printName(name)}\`, but the statement has ${others}.`);
}

function printName(name: string): string {
  return `$${name}`;
}

/** Replaces placeholders by `$1`, `$2`, …; positions of errors stay those of the text of the user. */
function renumber(
  statement: Statement,
  placeholders: readonly UnsetParam[],
  numbers: readonly number[],
): Statement {
  const { sql } = statement;
  let text = '';
  let copied = 0;
  /** The ends of replaced placeholders, and how far the text behind them has moved. */
  const moves: { readonly end: number; readonly by: number }[] = [];
  for (const [at, { span }] of placeholders.entries()) {
    text += `${sql.slice(copied, span.start)}$${numbers[at]}`;
    copied = span.end;
    moves.push({ end: text.length, by: span.end - text.length });
  }
  text += sql.slice(copied);
  const toOriginal = (offset: number) => offset + (moves.findLast(({ end }) => end <= offset)?.by ?? 0);
  const findOrigin: Statement['findOrigin'] = ({ start, end }) =>
    statement.findOrigin({ start: toOriginal(start), end: toOriginal(end) });
  return { ...statement, sql: text, findOrigin };
}

function readValue(value: JsonValue, name: string): BoundValue {
  if (value === null) return { type: null, text: null };
  if (Array.isArray(value)) return { items: value.map((item: JsonValue) => readValue(item, name)) };
  if (typeof value === 'string') return { type: null, text: checkText(value, name) };
  if (typeof value === 'boolean') return { type: 'BOOLEAN', text: String(value) };
  const number = readNumber(value);
  if (number !== null) return number;
  return readTypedValue(value as Readonly<Record<string, JsonValue>>, name);
}

/** A number with its digits and its scale. */
function readNumber(value: JsonValue): { readonly type: BoundType; readonly text: string } | null {
  if (isDecimal(value)) return { type: 'DECIMAL', text: toDecimalText(value.units, Number(value.scale)) };
  if (typeof value !== 'number' && typeof value !== 'bigint') return null;
  return { type: 'INTEGER', text: String(value) };
}

/** A value with its type: `{"type": "date", "value": "2026-01-15"}`. */
function readTypedValue(map: Readonly<Record<string, JsonValue>>, name: string): BoundValue {
  const { type: typeName, value, ...others } = map;
  const type = BOUND_TYPES.find((one) => typeof typeName === 'string' && one === typeName.toUpperCase());
  if (!isRecord(map) || type === undefined || value === undefined || Object.keys(others).length > 0) {
    throw new ParamError(
      `The value of \`${name}\` in \`bind\` must be null, a boolean, a number, a text, an array of these, or an object such as {"type": "date", "value": "2026-01-15"} with one of the types ${BOUND_TYPES.join(', ').toLowerCase()}.`,
    );
  }
  if (value === null) return { type, text: null };
  const text = toText(type, value);
  if (text === null) {
    throw new ParamError(`The value of \`${name}\` in \`bind\` is not ${FORMS[type]}.`);
  }
  return { type, text: checkText(text, name) };
}

const FORMS: Readonly<Record<BoundType, string>> = {
  BOOLEAN: 'true or false',
  INTEGER: 'an integer',
  DECIMAL: 'a number',
  DOUBLE: 'a number',
  STRING: 'a text',
  DATE: 'a date such as 2026-01-15',
  TIME: 'a time such as 09:30:00',
  TIMESTAMP: 'a time such as 2026-01-15T09:30:00 or 2026-01-15T09:30:00Z',
  BINARY: 'a text in base64',
  JSON: 'JSON',
};

/** The text of a value of a type; null for a value of another type. */
function toText(type: BoundType, value: JsonValue): string | null {
  if (type === 'JSON') return printJson(value);
  if (type === 'BOOLEAN') return typeof value === 'boolean' ? String(value) : null;
  const number = readNumber(value)?.text;
  const text = number ?? (typeof value === 'string' ? value : null);
  if (text === null) return null;
  if (type === 'INTEGER' || type === 'DECIMAL' || type === 'DOUBLE') return checkNumber(type, text);
  return number === undefined && isOf(type, text) ? text : null;
}

function checkNumber(type: BoundType, text: string): string | null {
  const number = parseNumber(text);
  if (number === null || (type === 'INTEGER' && isDecimal(number))) return null;
  if (type === 'DOUBLE') return Number.isFinite(Number(text)) ? text : null;
  return isDecimal(number) ? toDecimalText(number.units, Number(number.scale)) : String(number);
}

function isOf(type: BoundType, text: string): boolean {
  switch (type) {
    case 'DATE':
      return toDays(text) !== null;
    case 'TIME':
      return toTimeMicros(text) !== null;
    case 'TIMESTAMP':
      return toMoment(text) !== null;
    case 'BINARY':
      return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
    default:
      return true;
  }
}

/** The JSON text of a value, whose numbers keep their digits. */
function printJson(value: JsonValue): string {
  const number = readNumber(value);
  if (number !== null) return number.text;
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => printJson(item)).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${printJson(inner)}`).join(',')}}`;
}

/** Databases end a text at NUL, or refuse it. */
function checkText(text: string, name: string): string {
  if (!text.includes('\0')) return text;
  throw new ParamError(
    `The value of \`${name}\` in \`bind\` has a NUL character, which a database cannot store.`,
  );
}
