import { suggest } from '../../../text/suggest.ts';
import type { Span } from '../../text/span.ts';
import type { BlockDeclaration, Expression, MapExpression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { type CheckError, checkSeverity } from './severity.ts';

/** What a check says of the rows of its block (docs/reference/checks.md#words). */
export type CheckWord = 'unique' | 'not_null' | 'accepted' | 'references' | 'rows' | 'fresh';

/** One check of a block, with the expressions of its options. */
export interface ParsedCheck extends Span {
  readonly word: CheckWord;
  /** The columns that it is about: several for `unique`, none for `rows`. */
  readonly columns: readonly string[];
  /** The map of its options, and for `rows` that of the limits. */
  readonly options: MapExpression;
  readonly limits: MapExpression | null;
}

interface ParsedChecks {
  readonly checks: readonly ParsedCheck[];
  readonly errors: readonly CheckError[];
}

const COMMON = ['where', 'severity', 'fail_above'];
/** The options of each word; the required ones come first. */
export const CHECK_OPTIONS: Readonly<
  Record<CheckWord, { readonly required: readonly string[]; readonly more: readonly string[] }>
> = {
  unique: { required: [], more: COMMON },
  not_null: { required: [], more: COMMON },
  accepted: { required: ['values'], more: COMMON },
  references: { required: ['to'], more: ['column', ...COMMON] },
  rows: { required: [], more: COMMON },
  fresh: { required: ['within'], more: COMMON },
};
export const CHECK_WORDS = ['unique', 'not_null', 'accepted', 'references', 'rows', 'fresh'] as const;
export const ROW_LIMITS = ['min', 'max'];

/** Reads the checks of a block; those with a error are left out. */
export function parseChecks(block: BlockDeclaration): ParsedChecks {
  const value = findEntry(block.meta, 'checks');
  if (value === null) return { checks: [], errors: [] };
  const refusal = findRefusal(block, value);
  if (refusal !== null) return { checks: [], errors: [{ at: value, message: refusal }] };
  const checks: ParsedCheck[] = [];
  const errors: CheckError[] = [];
  for (const item of value.kind === 'list' ? value.items : []) {
    const found = findErrors(item);
    errors.push(...found);
    if (found.length === 0 && item.kind === 'map') checks.push(...readCheck(item));
  }
  return { checks, errors };
}

/** Why a block cannot have checks at all. */
function findRefusal({ kind, name, params, returns }: BlockDeclaration, value: Expression): string | null {
  if (kind === 'test') return 'a test has no checks: `:checks` belongs to a block';
  if (name === null) return 'a block with checks needs a name';
  if (returns?.name === 'void') return `the block \`${name.name}\` is void, so it has no rows to check`;
  const required = params.find((param) => param.default === null);
  if (required !== undefined) {
    return `the block \`${name.name}\` cannot be checked: its argument \`${required.name}\` has no default`;
  }
  return value.kind === 'list' ? null : '`:checks` must be a list of maps, such as [ { :unique "id" } ]';
}

function findErrors(item: Expression): readonly CheckError[] {
  if (item.kind !== 'map') return [{ at: item, message: 'a check must be a map, such as { :unique "id" }' }];
  const words = item.entries.filter(({ key }) => CHECK_WORDS.some((word) => word === key.name));
  const [first, second] = words;
  const names = CHECK_WORDS.map((word) => `:${word}`);
  if (first === undefined) return [{ at: item, message: explainNoWord(item, names) }];
  if (second !== undefined) {
    const message = `a check has one word, and this one has \`:${first.key.name}\` and \`:${second.key.name}\``;
    return [{ at: second.key, message }];
  }
  const word = CHECK_WORDS.find((one) => one === first.key.name) ?? 'rows';
  return [
    ...findKeyErrors(item, word),
    ...findValueErrors(item, word, first.value),
    ...checkSeverity(item, true),
  ];
}

function explainNoWord({ entries }: MapExpression, names: readonly string[]): string {
  const typed = entries.map(({ key }) => `:${key.name}`);
  const near = typed.map((one) => suggest(one, names)).find((one) => one !== undefined);
  const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return `a check needs one of ${names.join(', ')}${hint}`;
}

function findKeyErrors(item: MapExpression, word: CheckWord): readonly CheckError[] {
  const { required, more } = CHECK_OPTIONS[word];
  const known = [word, ...required, ...more];
  const unknown = item.entries.flatMap(({ key }) => {
    if (known.includes(key.name)) return [];
    const near = suggest(key.name, known);
    const hint = near === undefined ? '' : `, did you mean \`:${near}\`?`;
    return [{ at: key, message: `the check \`:${word}\` has no option \`:${key.name}\`${hint}` }];
  });
  const missing = required
    .filter((name) => findEntry(item, name) === null)
    .map((name) => ({ at: item, message: `the check \`:${word}\` needs \`:${name}\`` }));
  return [...unknown, ...missing];
}

/** The kinds of expressions whose value is known before a run. */
const KNOWN: readonly Expression['kind'][] = ['literal', 'list', 'map', 'symbol'];

function findValueErrors(item: MapExpression, word: CheckWord, value: Expression): readonly CheckError[] {
  const errors = word === 'rows' ? [...findLimitErrors(value)] : findColumnErrors(word, value);
  const options = OPTION_RULES.flatMap(({ name, isRight, message }) => {
    const at = findEntry(item, name);
    return at === null || isRight(at) ? [] : [{ at, message: `\`:${name}\` must be ${message}` }];
  });
  return [...errors, ...options];
}

function findColumnErrors(word: CheckWord, value: Expression): readonly CheckError[] {
  const several = word === 'unique' || word === 'not_null';
  if (readColumnText(value) !== null || (several && readTexts(value) !== null)) return [];
  return [
    { at: value, message: `\`:${word}\` must be ${several ? 'a column or a list of columns' : 'a column'}` },
  ];
}

/** What the value of each option must be. */
const OPTION_RULES: readonly {
  readonly name: string;
  readonly isRight: (expression: Expression) => boolean;
  readonly message: string;
}[] = [
  { name: 'values', isRight: isValueList, message: 'a list of values without null' },
  { name: 'to', isRight: isTarget, message: 'a block, or the name of a table in quotes' },
  { name: 'column', isRight: (value) => readColumnText(value) !== null, message: 'a column' },
  { name: 'where', isRight: isMaybeText, message: 'SQL in quotes' },
  { name: 'within', isRight: (value) => readSeconds(value) !== null, message: 'a time such as "24 hours"' },
];

function* findLimitErrors(value: Expression): Generator<CheckError> {
  if (value.kind !== 'map' || value.entries.length === 0) {
    yield { at: value, message: '`:rows` must be a map with `:min` or `:max`, such as { :min 1 }' };
    return;
  }
  for (const { key, value: limit } of value.entries) {
    if (!ROW_LIMITS.includes(key.name)) {
      yield { at: key, message: `\`:rows\` has no limit \`:${key.name}\`: use :min and :max` };
    } else if (!isCount(limit))
      yield { at: limit, message: `\`:${key.name}\` must be a whole number from 0` };
  }
  const [min = null, max = null] = ROW_LIMITS.map((name) => readCount(findEntry(value, name)));
  if (min !== null && max !== null && min > max)
    yield { at: value, message: '`:min` is greater than `:max`' };
}

/** The checks of one map: `not_null` has one for each column. */
function readCheck(item: MapExpression): readonly ParsedCheck[] {
  const word = CHECK_WORDS.find((one) => findEntry(item, one) !== null);
  if (word === undefined) return [];
  const value = findEntry(item, word);
  const columns = readTexts(value) ?? [readColumnText(value) ?? ''];
  const check = { word, options: item, limits: null, start: item.start, end: item.end };
  if (word === 'rows') return [{ ...check, columns: [], limits: value?.kind === 'map' ? value : null }];
  if (word === 'not_null') return columns.map((column) => ({ ...check, columns: [column] }));
  return [{ ...check, columns }];
}

/** The text of a literal; null for anything else, and for an empty one. */
export function readColumnText(expression: Expression | null): string | null {
  if (expression?.kind !== 'literal' || typeof expression.value !== 'string') return null;
  return expression.value === '' ? null : expression.value;
}

function readTexts(expression: Expression | null): readonly string[] | null {
  if (expression?.kind !== 'list' || expression.items.length === 0) return null;
  const texts = expression.items.map(readColumnText).filter((text) => text !== null);
  return texts.length === expression.items.length ? texts : null;
}

function isMaybeText(expression: Expression): boolean {
  return readColumnText(expression) !== null || !KNOWN.includes(expression.kind);
}

function isTarget(expression: Expression): boolean {
  return readColumnText(expression) !== null || ['name', 'member', 'call'].includes(expression.kind);
}

/** A null would make every value accepted. */
function isValueList(expression: Expression): boolean {
  if (expression.kind !== 'list' || expression.items.length === 0) return false;
  return expression.items.every((item) => {
    if (item.kind === 'literal') return item.value !== null;
    return item.kind !== 'list' && item.kind !== 'map';
  });
}

function readCount(expression: Expression | null): bigint | null {
  return expression?.kind === 'literal' && typeof expression.value === 'bigint' ? expression.value : null;
}

function isCount(expression: Expression): boolean {
  const count = readCount(expression);
  return count === null ? !KNOWN.includes(expression.kind) && !isNegative(expression) : count >= 0n;
}

function isNegative(expression: Expression): boolean {
  return expression.kind === 'unary' && expression.operator === '-';
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
/** A longer time would not fit into the integers of each database. */
const MAX_SECONDS = 10 ** 10;

/** The seconds of a time such as "24 hours"; null for anything else. */
export function readSeconds(expression: Expression | null): number | null {
  const text = readColumnText(expression);
  const [, amount = '', unit = ''] =
    /^\s*(\d{1,9})\s+(second|minute|hour|day|week)s?\s*$/.exec(text ?? '') ?? [];
  const seconds = Number(amount) * (SECONDS[unit] ?? 0);
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
}
