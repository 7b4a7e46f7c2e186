import type { Span } from '../../../engine/text/span.ts';
import { pickByKind } from '../../../invariants/narrow.ts';
import {
  createCall,
  createCase,
  createCast,
  createInteger,
  createLike,
  createLiteral,
  createNull,
} from '../../expression/create-expression.ts';
import { createExists, createInQuery, createScalarQuery } from '../../expression/create-query.ts';
import type { QueryName, TypedExpression } from '../../expression/expression.ts';
import { foldConstant } from '../../expression/fold-constant.ts';
import type { FunctionName } from '../../expression/functions.ts';
import type { StatementColumn } from '../../expression/statement.ts';
import { weighExpression } from '../../expression/weigh-expression.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, OperatorSyntax, QuerySyntax, SyntaxOf } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { withPlace } from '../messages/with-place.ts';
import { readCastType } from './read-cast-type.ts';
import { translateCall } from './translate-call.ts';
import { addInterval } from './translate-interval.ts';
import type { ExpressionReader, SubQuery, TranslationContext } from './translation.ts';

type Kind = ExpressionSyntax['kind'];

type Translators = {
  readonly [K in Kind]: <Field>(
    syntax: SyntaxOf<K>,
    translation: TranslationContext<Field>,
  ) => TypedExpression<Field>;
};

/**
 * Translates an expression: resolves its fields, checks its types, and uses portable functions
 * (docs/reference/semantic-sql-functions.md). Throws a SemanticSqlError.
 */
export function translateExpression<Field>(
  syntax: ExpressionSyntax,
  reader: ExpressionReader<Field>,
): TypedExpression<Field> {
  const { timezone, clock } = reader;
  const readQuery = (query: QuerySyntax) => reader.readQuery(query);
  const translate = (part: ExpressionSyntax): TypedExpression<Field> =>
    reader.readWhole(part) ??
    checkWeight(
      withPlace(part, () => translateKind(part, { timezone, clock, translate, readQuery })),
      part,
    );
  return translate(syntax);
}

/** Nested repetition can grow exponentially, so the total size is limited. */
const MAX_WEIGHT = 200_000;

function checkWeight<Field>(expression: TypedExpression<Field>, span: Span): TypedExpression<Field> {
  if (weighExpression(expression) <= MAX_WEIGHT) return expression;
  throw new SemanticSqlError(span, translationTexts.tooLarge());
}

function translateKind<Field>(
  syntax: ExpressionSyntax,
  translation: TranslationContext<Field>,
): TypedExpression<Field> {
  const translate = pickByKind<ExpressionSyntax, [TranslationContext<Field>], TypedExpression<Field>>(
    TRANSLATORS,
    syntax,
  );
  return translate(syntax, translation);
}

const NAMES: Readonly<Partial<Record<OperatorSyntax, FunctionName>>> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '^': 'POWER',
  '||': '||',
  '=': '=',
  '<>': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const TRANSLATORS: Translators = {
  // `readWhole` has already handled all known columns.
  column: ({ names, start, end }) => {
    throw new SemanticSqlError(
      { start, end },
      translationTexts.unknownColumn(names.map(({ text }) => text).join('.'), undefined),
    );
  },
  star: (syntax) => {
    throw new SemanticSqlError(syntax, translationTexts.star());
  },
  literal: translateLiteral,
  cast: translateCast,
  operator: translateOperator,
  and: ({ parts }, { translate, timezone }) => createCall('AND', parts.map(translate), timezone),
  or: ({ parts }, { translate, timezone }) => createCall('OR', parts.map(translate), timezone),
  not: ({ operand }, { translate }) => createCall('NOT', [translate(operand)]),
  'is-null': ({ operand, isNegated }, { translate }) =>
    negate(createCall('IS NULL', [translate(operand)]), isNegated),
  'is-boolean': ({ operand, value, isNegated }, { translate }) => {
    const name = value === null ? 'IS NULL' : value ? 'IS TRUE' : 'IS FALSE';
    return negate(createCall(name, [translate(operand)]), isNegated);
  },
  'is-distinct': ({ left, right, isNegated }, { translate, timezone }) =>
    negate(createCall('IS DISTINCT FROM', [translate(left), translate(right)], timezone), isNegated),
  between: ({ operand, low, high, isNegated }, { translate, timezone }) =>
    negate(createCall('BETWEEN', [operand, low, high].map(translate), timezone), isNegated),
  'in-list': ({ operand, values, isNegated }, { translate, timezone }) =>
    negate(createCall('IN', [operand, ...values].map(translate), timezone), isNegated),
  'in-query': ({ operand, query }, { translate, timezone, readQuery }) =>
    withOneColumn(readQuery(query), query, (name, column) =>
      createInQuery(translate(operand), name, column, timezone),
    ),
  exists: ({ query }, { readQuery }) => createExists(readQuery(query).name),
  'scalar-query': ({ query }, { readQuery }) =>
    withOneColumn(readQuery(query), query, (name, { dataType }) => createScalarQuery(name, dataType)),
  like: translateLike,
  case: translateCase,
  call: (syntax, translation) => translateCall(syntax, translation),
};

function withOneColumn<T>(
  { name, columns }: SubQuery,
  span: Span,
  create: (name: QueryName, column: StatementColumn) => T,
): T {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) return create(name, only);
  throw new SemanticSqlError(span, translationTexts.oneColumn(columns.length));
}

function negate<Field>(expression: TypedExpression<Field>, isNegated: boolean): TypedExpression<Field> {
  return isNegated ? createCall('NOT', [expression]) : expression;
}

function translateLiteral<Field>({ type, text }: SyntaxOf<'literal'>): TypedExpression<Field> {
  switch (type) {
    case 'null':
      return createNull('TEXT');
    case 'text':
      return createLiteral({ kind: 'literal', type: 'text', text }, 'TEXT');
    case 'boolean':
      return createLiteral({ kind: 'literal', type: 'boolean', text }, 'BOOLEAN');
    case 'integer':
      return createLiteral({ kind: 'literal', type: 'number', text }, 'INTEGER');
    case 'decimal':
      return createLiteral({ kind: 'literal', type: 'number', text }, 'DECIMAL');
  }
}

function translateCast<Field>(
  { operand, type, start, end }: SyntaxOf<'cast'>,
  { translate, timezone }: TranslationContext<Field>,
): TypedExpression<Field> {
  const { dataType, digits, length } = readCastType(type, { start, end });
  const value = createCast(translate(operand), dataType, digits, timezone);
  if (length === null) return value;
  return createCall('LEFT', [value, createInteger(length)]);
}

function translateOperator<Field>(
  syntax: SyntaxOf<'operator'>,
  translation: TranslationContext<Field>,
): TypedExpression<Field> {
  const { operator, left, right } = syntax;
  const { translate, timezone } = translation;
  if (left === null) return operator === '-' ? createCall('NEGATE', [translate(right)]) : translate(right);
  const sum = addInterval(syntax, translation);
  if (sum !== null) return sum;
  const name = NAMES[operator];
  if (name === undefined)
    throw new SemanticSqlError(syntax, translationTexts.notYet(`operator \`${operator}\``));
  return createCall(name, [translate(left), translate(right)], timezone);
}

function translateLike<Field>(
  { operand, pattern, escape: sign, ignoresCase, isNegated }: SyntaxOf<'like'>,
  { translate }: TranslationContext<Field>,
): TypedExpression<Field> {
  const text = foldConstant(translate(pattern));
  if (text.kind !== 'literal' || text.value?.type !== 'text') {
    throw new SemanticSqlError(pattern, translationTexts.pattern());
  }
  if (sign !== null && (sign.kind !== 'literal' || sign.type !== 'text' || [...sign.text].length !== 1)) {
    throw new SemanticSqlError(sign, translationTexts.escape());
  }
  const escapeOptions = sign === null ? {} : { escapedBy: sign.text };
  const like = createLike(translate(operand), text.value.text, {
    caseSensitive: !ignoresCase,
    ...escapeOptions,
  });
  return negate(like, isNegated);
}

function translateCase<Field>(
  { operand, branches, otherwise }: SyntaxOf<'case'>,
  { translate, timezone }: TranslationContext<Field>,
): TypedExpression<Field> {
  const of = operand === null ? null : translate(operand);
  const translated = branches.map(({ when, result }) => ({
    when: of === null ? translate(when) : createCall('=', [of, translate(when)], timezone),
    value: translate(result),
  }));
  return createCase(translated, otherwise === null ? null : translate(otherwise), timezone);
}
