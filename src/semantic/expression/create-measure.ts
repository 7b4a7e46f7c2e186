import { semanticErrors } from '../errors.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import type { ValueType } from '../model/model.ts';
import type { AggregateFunction } from '../sql/nodes.ts';
import type { AggregateExpression, SpotMeasureUse, TypedExpression } from './expression.ts';
import { mapExpression } from './walk-expression.ts';

type Types = Readonly<Partial<Record<ValueType, ValueType>>>;

const SAME: Types = { INTEGER: 'INTEGER', NUMBER: 'NUMBER', DECIMAL: 'DECIMAL', FLOAT: 'FLOAT' };
const ORDERED: Types = { ...SAME, TEXT: 'TEXT', DATE: 'DATE', TIMESTAMP: 'TIMESTAMP', DATETIME: 'DATETIME' };
const COUNTED: Types = {
  ...{ INTEGER: 'INTEGER', NUMBER: 'INTEGER', DECIMAL: 'INTEGER', FLOAT: 'INTEGER', TEXT: 'INTEGER' },
  ...{ DATE: 'INTEGER', TIMESTAMP: 'INTEGER', DATETIME: 'INTEGER', BOOLEAN: 'INTEGER' },
};

/** The result type of each aggregate by argument type; it does not accept other types. */
const TYPES: Readonly<Record<AggregateFunction, Types>> = {
  SUM: SAME,
  AVG: { INTEGER: 'FLOAT', NUMBER: 'FLOAT', DECIMAL: 'FLOAT', FLOAT: 'FLOAT' },
  MEDIAN: { INTEGER: 'DECIMAL', NUMBER: 'DECIMAL', DECIMAL: 'DECIMAL', FLOAT: 'FLOAT' },
  MIN: ORDERED,
  MAX: ORDERED,
  COUNT: COUNTED,
  COUNT_DISTINCT: COUNTED,
};

const TAKES: Readonly<Record<AggregateFunction, string>> = {
  SUM: 'numbers',
  AVG: 'numbers',
  MEDIAN: 'numbers',
  MIN: 'numbers, TEXT, DATE, TIMESTAMP or DATETIME',
  MAX: 'numbers, TEXT, DATE, TIMESTAMP or DATETIME',
  COUNT: 'rows or values',
  COUNT_DISTINCT: 'values',
};

/**
 * The result type of an aggregate; a null argument means the rows themselves. Throws a SemanticError `refused` for a
 * type that it does not accept.
 */
export function findAggregateType(aggregate: AggregateFunction, argument: ValueType | null): ValueType {
  if (argument === null && aggregate === 'COUNT') return 'INTEGER';
  const type = argument === null ? undefined : TYPES[aggregate][argument];
  if (type === undefined) {
    throw semanticErrors.functionTypes(aggregate, [argument ?? 'rows'], TAKES[aggregate]);
  }
  return type;
}

/**
 * Creates a measure defined in a statement (docs/reference/semantic-sql.md#what-a-select-means). Each row of `owner`,
 * which `findRoot` finds, counts once. Throws a SemanticError `refused` for types that do not fit.
 */
export function createSpotMeasure(measure: {
  readonly name: string;
  readonly owner: IndexedEntity;
  readonly aggregate: AggregateFunction;
  readonly argument: TypedExpression<DimensionUse> | null;
  readonly filter: TypedExpression<DimensionUse> | null;
}): SpotMeasureUse {
  const { owner, aggregate, argument, filter } = measure;
  const dataType = findAggregateType(aggregate, argument?.dataType ?? null);
  checkFilter(filter);
  const parts = [argument, filter].map((part) => part && mapExpression(part, ({ key }) => key));
  const key = JSON.stringify([owner.entity.name, aggregate, ...parts]);
  return { kind: 'spot', key, dataType, ...measure };
}

function checkFilter<Field>(filter: TypedExpression<Field> | null): void {
  if (filter === null || filter.dataType === 'BOOLEAN') return;
  throw semanticErrors.functionTypes('FILTER', [filter.dataType], 'a condition');
}

/** An aggregate of the rows of a result. Throws a SemanticError `refused` for types that do not fit. */
export function createAggregate<Field>(
  aggregate: AggregateFunction,
  of: TypedExpression<Field> | null,
  filter: TypedExpression<Field> | null,
): AggregateExpression<Field> {
  checkFilter(filter);
  const dataType = findAggregateType(aggregate, of?.dataType ?? null);
  const nullable = aggregate !== 'COUNT' && aggregate !== 'COUNT_DISTINCT';
  return { kind: 'aggregate', aggregate, of, filter, dataType, nullable };
}
