import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { findPosition, getLineMap } from '../../text/line-map.ts';
import type { Source } from '../../text/source.ts';
import { type SqlToken, scanSql } from '../../text/sql-scanner.ts';
import { keepTexts } from '../check/rules/list-texts.ts';
import { isJsonPathFilter, listReferences } from '../evaluate/quoted-params.ts';
import { type ParamDescription, readDescriptions } from '../params/descriptions.ts';
import type { JsonValue } from '../params/json-value.ts';
import { type ParamReference, readReference } from '../params/param-names.ts';
import { type Params, printParamText, substituteInLongText } from '../params/params.ts';
import type { LinkedFile } from '../program/program.ts';
import { walkFile } from '../program/walk.ts';
import type { BinaryOperator, Body, Expression, ScriptFile } from '../syntax/ast.ts';
import { parseLongScript } from '../syntax/parse-script.ts';

/** A parameter of a script (docs/reference/parameters.md#descriptions), as a form needs it. */
export interface ScriptParameter {
  readonly name: string;
  /** The type that its uses suggest, or a described time; null if they suggest none, or several. */
  readonly type: ParameterType | null;
  /** The value of the project, which a run uses, else the one that a comment suggests. */
  readonly default: string | number | boolean | null;
  /** The only values that a run accepts; null if it accepts every value. */
  readonly values: readonly (string | number | boolean)[] | null;
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
 * names. Comments and dollar quotes contain none. In a script with errors, only valid declarations count. `defaults` are
 * the values of its project.
 */
export function* listParameters(
  source: Source,
  lexicalRules: LexicalRules,
  defaults: Params,
): Interruptible<readonly ScriptParameter[]> {
  const { file } = yield* parseLongScript(yield* substituteInLongText(source, {}));
  const byName = Map.groupBy(yield* findParameterUses(file, lexicalRules), ({ name }) => name);
  const descriptions = readDescriptions(source.text);
  return [...byName]
    .slice(0, MAX_PARAMETERS)
    .map(([name, uses]) => toParameter(source, name, uses, { descriptions, defaults }));
}

function toParameter(
  source: Source,
  name: string,
  uses: readonly ParameterUse[],
  { descriptions, defaults }: { descriptions: ReadonlyMap<string, ParamDescription>; defaults: Params },
): ScriptParameter {
  const [first] = uses;
  const types = new Set(uses.flatMap(({ type }) => type ?? []));
  const [only = null] = types;
  const { value: suggested = null, doc = null, choices = null } = descriptions.get(name) ?? {};
  const ofProject = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
  const value = ofProject === undefined ? suggested : printValue(name, ofProject);
  const type = findType(types.size === 1 ? only : null, value, choices);
  const { line, column } = findPosition(getLineMap(source), first?.start ?? 0);
  const isOutside = value !== null && choices !== null && !choices.includes(value);
  return {
    name,
    type,
    default: isOutside ? null : convert(value, type),
    values: choices?.flatMap((choice) => convert(choice, type) ?? []) ?? null,
    is_required: ofProject === undefined && uses.some((use) => use.isRequired),
    doc,
    line,
    column,
  };
}

/** The type that the uses suggest, unless the described values do not have it, or have the form of a time. */
function findType(
  ofUses: ParameterType | null,
  value: string | null,
  choices: readonly string[] | null,
): ParameterType | null {
  if (ofUses === 'number' || ofUses === 'boolean') {
    return choices?.some((choice) => String(convert(choice, ofUses)) !== choice) ? 'string' : ofUses;
  }
  const described = value === null ? (choices ?? []) : [value];
  const forms = new Set(described.map(findForm));
  const [form = null] = forms;
  return forms.size === 1 && form !== null ? form : ofUses;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)[ T](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;

/** The text of a value in a form; null for a list. */
function printValue(name: string, value: JsonValue): string | null {
  return Array.isArray(value) ? null : printParamText(name, value);
}

/** The form of a text: a day of the calendar, such a day with a time, or neither. */
function findForm(text: string): 'date' | 'timestamp' | null {
  if (DATE.test(text)) return isDay(text) ? 'date' : null;
  const [, day] = TIMESTAMP.exec(text) ?? [];
  return day !== undefined && isDay(day) ? 'timestamp' : null;
}

/** Whether the calendar has a day: a Date would move the 30th of February to March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function convert(value: string | null, type: ParameterType | null): ScriptParameter['default'] {
  if (value === null || (type !== 'boolean' && type !== 'number')) return value;
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : null;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
}

type ParameterType = 'string' | 'number' | 'boolean' | 'date' | 'timestamp';

/** One use of a parameter; `start` is its offset. */
interface ParameterUse {
  readonly name: string;
  readonly start: number;
  /** The type that the use suggests. */
  readonly type: ParameterType | null;
  /** Whether a run without the parameter fails here; inside quotes, the text stays. */
  readonly isRequired: boolean;
}

type Use = ParameterUse;

/** Finds the uses of parameters in a script that was parsed without parameters, in source order. */
function* findParameterUses(
  file: ScriptFile,
  lexicalRules: LexicalRules,
): Interruptible<readonly ParameterUse[]> {
  const bodies = [...file.blocks, ...file.macros].map(({ body }) => body);
  const uses = [...findInImports(file), ...findInExpressions(file), ...bodies.flatMap(findInConditions)];
  for (const body of bodies) {
    yield;
    yield* collectFromSql(keepTexts(body, file.rendered), lexicalRules, body.start, uses);
  }
  return uses.sort((left, right) => left.start - right.start);
}

function findInImports({ imports, rendered }: ScriptFile): readonly Use[] {
  return imports.flatMap(({ pathSpan: { start, end } }) =>
    listReferences(rendered.text.slice(start, end)).map((reference) => ({
      name: reference.name,
      start: start + reference.start,
      type: 'string',
      isRequired: true,
    })),
  );
}

function findInExpressions(file: ScriptFile): Use[] {
  const uses: Use[] = [];
  const linked: LinkedFile = { file, imports: new Map(), checks: [] };
  const neighbours = { names: [], broken: [] };
  const owner = { id: '', name: '', files: [linked], definitions: new Map(), neighbours };
  const types = new Map<Expression, ParameterType>();
  walkFile(owner, linked, (expression) => {
    noteTypes(expression, types);
    const { kind, start, end } = expression;
    if (kind === 'unset') {
      uses.push({ name: expression.name, start, type: types.get(expression) ?? null, isRequired: true });
    } else if (kind === 'literal' && typeof expression.value === 'string') {
      const literal = file.rendered.text.slice(start, end);
      const inside = listReferences(literal);
      for (const reference of inside) uses.push(toQuoted(reference.name, start + reference.start));
    }
  });
  return uses;
}

function toQuoted(name: string, start: number): Use {
  return { name, start, type: 'string', isRequired: false };
}

const ARITHMETIC: ReadonlySet<string> = new Set(['-', '*', '/', '%', '<', '<=', '>', '>=']);

/** Notes the types that an operation suggests for its operands. */
function noteTypes(expression: Expression, types: Map<Expression, ParameterType>): void {
  if (expression.kind === 'unary') {
    types.set(expression.operand, expression.operator === 'not' ? 'boolean' : 'number');
  } else if (expression.kind === 'binary') {
    const { operator, left, right } = expression;
    const [ofLeft, ofRight] = [suggestType(operator, right), suggestType(operator, left)];
    if (ofLeft !== null) types.set(left, ofLeft);
    if (ofRight !== null) types.set(right, ofRight);
  }
}

/** The type of an operand, from the operator and the other operand. */
function suggestType(operator: BinaryOperator, other: Expression): ParameterType | null {
  if (operator === 'and' || operator === 'or') return 'boolean';
  return typeOf(other) ?? (ARITHMETIC.has(operator) ? 'number' : null);
}

/** The type of a literal. */
function typeOf(expression: Expression): ParameterType | undefined {
  if (expression.kind !== 'literal' || expression.value === null) return undefined;
  const type = typeof expression.value;
  if (type === 'bigint' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** The parameters that are conditions themselves. */
function findInConditions({ parts }: Body): readonly Use[] {
  return parts.flatMap((part): readonly Use[] => {
    if (part.kind === 'for') return findInConditions(part.body);
    if (part.kind !== 'if') return [];
    const inner = [
      ...part.branches.map(({ body }) => body),
      ...(part.otherwise === null ? [] : [part.otherwise]),
    ];
    const uses = part.branches.flatMap(({ condition }): readonly Use[] =>
      condition.kind === 'unset'
        ? [{ name: condition.name, start: condition.start, type: 'boolean', isRequired: true }]
        : [],
    );
    return [...uses, ...inner.flatMap(findInConditions)];
  });
}

/** Words and signs of SQL after which a number follows. */
const BEFORE_NUMBER: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'top',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
]);
const BEFORE = /(?:[A-Za-z]+|[<>]=?|[-+*/%])(?=\s*$)/;

/** Adds the parameters in the SQL of a body that starts at `offset`. */
function* collectFromSql(
  text: string,
  lexicalRules: LexicalRules,
  offset: number,
  uses: Use[],
): Interruptible<void> {
  if (!text.includes('$')) return;
  const sql = undouble(text);
  let passed = 0;
  for (const token of scanSql(sql, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    for (const use of findInToken(sql, token)) {
      // Without the `$` that `undouble` has replaced, the use would start too late.
      const isDoubled = use.isRequired && text.charAt(use.start - 1) === '$';
      uses.push({ ...use, start: use.start + offset - (isDoubled ? 1 : 0) });
    }
  }
}

function findInToken(sql: string, { kind, start, end }: SqlToken): readonly Use[] {
  if (kind === 'string' || kind === 'quoted-name') {
    const inside = findQuoted(sql.slice(start, end), kind);
    return inside.map((parameter) => toQuoted(parameter.name, start + parameter.start));
  }
  const reference = kind === 'parameter' || kind === 'word' ? readReference(sql, start) : undefined;
  if (reference === undefined) return [];
  const [before = ''] = BEFORE.exec(sql.slice(Math.max(0, start - 20), start)) ?? [];
  const type = BEFORE_NUMBER.has(before.replace('=', '').toLowerCase()) ? 'number' : null;
  return [{ name: reference.name, start, type, isRequired: true }];
}

function findQuoted(text: string, kind: 'string' | 'quoted-name'): readonly ParamReference[] {
  if (!text.includes('$') || (kind === 'string' && isJsonPathFilter(text))) return [];
  return listReferences(text);
}

/**
 * Replaces the first `$` of each `$$name` by a space. After the `$$` that closes a dollar quote, no name can follow, so
 * `$$a + $$b` has two parameters.
 */
function undouble(text: string): string {
  let result = '';
  let copied = 0;
  for (let at = text.indexOf('$$'); at !== -1; ) {
    const close = text.indexOf('$$', at + 2);
    const isName = NAME_START.test(text.charAt(at + 2));
    if (isName && (close === -1 || NAME_START.test(text.charAt(close + 2)))) {
      result += `${text.slice(copied, at)} $`;
      copied = at + 2;
      at = close;
    } else {
      at = close === -1 ? -1 : text.indexOf('$$', close + 2);
    }
  }
  return result + text.slice(copied);
}

const NAME_START = /[A-Za-z_]/;
