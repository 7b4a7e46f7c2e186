import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { keepTexts } from '../check/rules/list-texts.ts';
import { walkFile } from '../check/rules/walk.ts';
import { findQuotedParams, listReferences } from '../evaluate/quoted-params.ts';
import { readReference } from '../params/param-names.ts';
import type { LinkedFile } from '../program/program.ts';
import type { BinaryOperator, Body, Expression, ScriptFile } from '../syntax/ast.ts';

export type ParameterType = 'string' | 'number' | 'boolean';

/** One use of a parameter; `start` is its offset. */
export interface ParameterUse {
  readonly name: string;
  readonly start: number;
  /** The type that the use suggests. */
  readonly type: ParameterType | null;
  /** Whether a run without the parameter fails here; inside quotes, the text stays. */
  readonly isRequired: boolean;
}

type Use = ParameterUse;

/** Finds the uses of parameters in a script that was parsed without parameters, in source order. */
export function* findParameterUses(
  file: ScriptFile,
  lexicalRules: LexicalRules,
): Interruptible<readonly ParameterUse[]> {
  const bodies = [...file.blocks, ...file.macros].map(({ body }) => body);
  const uses = [...findInImports(file), ...findInExpressions(file), ...bodies.flatMap(findInConditions)];
  for (const body of bodies) {
    yield;
    uses.push(...findInSql(keepTexts(body, file.rendered), lexicalRules, body.start));
  }
  return uses.sort((one, other) => one.start - other.start);
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
  const linked: LinkedFile = { file, imports: new Map() };
  const owner = { id: '', name: '', files: [linked], definitions: new Map() };
  const types = new Map<Expression, ParameterType>();
  walkFile(owner, linked, (expression) => {
    noteTypes(expression, types);
    const { kind, start, end } = expression;
    if (kind === 'unset') {
      uses.push({ name: expression.name, start, type: types.get(expression) ?? null, isRequired: true });
    } else if (kind === 'literal' && typeof expression.value === 'string') {
      const own = file.rendered.text.slice(start, end);
      const inside = listReferences(own);
      uses.push(...inside.map((found) => toQuoted(found.name, start + found.start)));
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
    const own = part.branches.flatMap(({ condition }): readonly Use[] =>
      condition.kind === 'unset'
        ? [{ name: condition.name, start: condition.start, type: 'boolean', isRequired: true }]
        : [],
    );
    return [...own, ...inner.flatMap(findInConditions)];
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

/** The parameters in the SQL of a body that starts at `offset`. */
function findInSql(text: string, lexicalRules: LexicalRules, offset: number): readonly Use[] {
  if (!text.includes('$')) return [];
  const sql = undouble(text);
  const uses = findQuotedParams(sql, lexicalRules).map(({ name, start }) => toQuoted(name, start + offset));
  for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
    if (kind === 'quoted-name') {
      const inside = listReferences(sql.slice(start, end));
      uses.push(...inside.map((found) => toQuoted(found.name, start + found.start + offset)));
    }
    const reference = kind === 'parameter' || kind === 'word' ? readReference(sql, start) : undefined;
    if (reference === undefined) continue;
    const [before = ''] = BEFORE.exec(sql.slice(Math.max(0, start - 20), start)) ?? [];
    const type = BEFORE_NUMBER.has(before.replace('=', '').toLowerCase()) ? 'number' : null;
    const from = text.charAt(start - 1) === '$' ? start - 1 : start;
    uses.push({ name: reference.name, start: from + offset, type, isRequired: true });
  }
  return uses;
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
