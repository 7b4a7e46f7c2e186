import type { FieldExpression, TypedExpression } from './expression.ts';

/** The direct parts of an expression. */
export function listParts<Field>(expression: TypedExpression<Field>): readonly TypedExpression<Field>[] {
  switch (expression.kind) {
    case 'field':
    case 'literal':
    case 'query':
    case 'exists':
      return [];
    case 'call':
      return expression.args;
    case 'case': {
      const { branches, otherwise } = expression;
      const parts = branches.flatMap(({ when, value }) => [when, value]);
      return otherwise === null ? parts : [...parts, otherwise];
    }
    case 'cast':
    case 'grain':
    case 'local':
    case 'moment':
    case 'in query':
      return [expression.of];
    case 'aggregate':
      return [expression.of, expression.filter].filter((part) => part !== null);
    case 'window':
      return [...expression.args, ...expression.partitionBy, ...expression.orderBy.map(({ value }) => value)];
  }
}

/** The fields of an expression, with repetitions. */
export function listExpressionFields<Field>(expression: TypedExpression<Field>): readonly Field[] {
  if (expression.kind === 'field') return [expression.field];
  return listParts(expression).flatMap((part) => listExpressionFields(part));
}

/** Whether an expression contains a part of a kind. */
export function hasPart<Field>(
  expression: TypedExpression<Field>,
  kind: TypedExpression<Field>['kind'],
): boolean {
  return expression.kind === kind || listParts(expression).some((part) => hasPart(part, kind));
}

/** Whether an expression is a literal NULL, which has no type. */
export function isNullLiteral<Field>(expression: TypedExpression<Field>): boolean {
  return expression.kind === 'literal' && expression.value === null;
}

/** Whether an expression contains a sub-query, which some platforms reject in some places. */
export function hasSubQuery<Field>(expression: TypedExpression<Field>): boolean {
  return SUB_QUERIES.has(expression.kind) || listParts(expression).some((part) => hasSubQuery(part));
}

const SUB_QUERIES: ReadonlySet<TypedExpression<never>['kind']> = new Set([
  'query',
  'in query',
  'exists',
] as const);

/** Maps the fields of an expression. */
export function mapExpression<From, To>(
  expression: TypedExpression<From>,
  map: (field: From) => To,
): TypedExpression<To> {
  if (expression.kind === 'field') return { ...expression, field: map(expression.field) };
  return mapParts(expression, (part) => mapExpression(part, map));
}

/** Maps the direct parts of an expression that is not a field. */
export function mapParts<From, To>(
  expression: Exclude<TypedExpression<From>, FieldExpression<From>>,
  convert: (part: TypedExpression<From>) => TypedExpression<To>,
): TypedExpression<To> {
  switch (expression.kind) {
    case 'literal':
    case 'query':
    case 'exists':
      return expression;
    case 'call':
      return { ...expression, args: expression.args.map(convert) };
    case 'case': {
      const branches = expression.branches.map(({ when, value }) => ({
        when: convert(when),
        value: convert(value),
      }));
      const { otherwise } = expression;
      return { ...expression, branches, otherwise: otherwise && convert(otherwise) };
    }
    case 'cast':
    case 'grain':
    case 'local':
    case 'moment':
    case 'in query':
      return { ...expression, of: convert(expression.of) };
    case 'aggregate': {
      const { of, filter } = expression;
      return { ...expression, of: of && convert(of), filter: filter && convert(filter) };
    }
    case 'window':
      return {
        ...expression,
        args: expression.args.map(convert),
        partitionBy: expression.partitionBy.map(convert),
        orderBy: expression.orderBy.map((order) => ({ ...order, value: convert(order.value) })),
      };
  }
}

/** A string that is equal for equal expressions of equal fields. */
export function printExpressionKey(expression: TypedExpression<{ readonly key: string }>): string {
  return JSON.stringify(mapExpression(expression, ({ key }) => key));
}
