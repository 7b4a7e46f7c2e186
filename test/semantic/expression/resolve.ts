import {
  createCall,
  createField,
  createLiteral,
} from '../../../src/semantic/expression/create-expression.ts';
import { createSpotMeasure } from '../../../src/semantic/expression/create-measure.ts';
import type {
  ComputedKeyUse,
  KeyUse,
  ResolvedQuery,
  ResultUse,
  TypedExpression,
} from '../../../src/semantic/expression/expression.ts';
import type { FunctionName } from '../../../src/semantic/expression/functions.ts';
import { readLiteral } from '../../../src/semantic/expression/read-literal.ts';
import { listExpressionFields } from '../../../src/semantic/expression/walk-expression.ts';
import type { DimensionUse, MeasureUse } from '../../../src/semantic/model/index/field-use.ts';
import type { ModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { DataType } from '../../../src/semantic/model/model.ts';
import { findRoot } from '../../../src/semantic/query/find-root.ts';
import { getDataType, resolveQuery } from '../../../src/semantic/query/resolve-query.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import type { AggregateFunction } from '../../../src/semantic/sql/nodes.ts';
import { ask } from '../ask.ts';

type Rows = TypedExpression<DimensionUse>;

/** Creates resolved queries to a model, like the translation of SQL. */
export function createResolver(index: ModelIndex) {
  const resolve = (dimensions: string, measures: string) =>
    resolveQuery(index, ask(dimensions, measures), DIALECTS.duckdb, null);
  const dimension = (name: string) => resolve(name, '').keys[0]!.use as DimensionUse;
  const field = (name: string): Rows => {
    const use = dimension(name);
    return createField(use, getDataType(use));
  };
  const computed = (name: string, expression: Rows): ComputedKeyUse => ({
    kind: 'computed',
    key: JSON.stringify(['computed', name]),
    name,
    expression,
  });
  return {
    field,
    dimension,
    computed,
    measure: (name: string) => resolve('', name).measures[0]!.use as MeasureUse,
    spot: (
      name: string,
      aggregate: AggregateFunction,
      argument: Rows | null,
      more: { owner?: string; filter?: Rows } = {},
    ) => {
      const uses = [argument, more.filter ?? null].flatMap((part) =>
        part === null ? [] : listExpressionFields(part),
      );
      const owner = more.owner === undefined ? findRoot(index, uses) : index.entities.get(more.owner)!;
      return createSpotMeasure({ name, owner, aggregate, argument, filter: more.filter ?? null });
    },
    key: (use: KeyUse) => ({ use, alias: use.kind === 'computed' ? use.name : use.field.dimension.name }),
  };
}

/** A call in prefix notation. */
export function call<Field>(
  name: FunctionName,
  ...args: readonly TypedExpression<Field>[]
): TypedExpression<Field> {
  return createCall(name, args);
}

/** A literal of a type. */
export function literal(type: DataType, text: string): TypedExpression<never> {
  return createLiteral(readLiteral(type, text, 'UTC')!, type);
}

export const text = (value: string) => literal('TEXT', value);
export const integer = (value: number) => literal('INTEGER', String(value));

/** A query with the given parts. */
export function createQuery(given: Partial<ResolvedQuery>): ResolvedQuery {
  return {
    root: null,
    results: [],
    keys: [],
    measures: [],
    conditions: [],
    having: [],
    orderBy: [],
    limit: null,
    items: null,
    ...given,
  };
}

/** A use as an expression over results. */
export function result(use: ResultUse): TypedExpression<ResultUse> {
  return createField(use, getDataType(use));
}
