import { type SemanticError, semanticErrors } from '../errors.ts';
import { hintOperator } from '../model/index/hints.ts';
import {
  type FieldRef,
  type ListOperator,
  MAX_CONDITIONS,
  MAX_FIELDS,
  MAX_FILTER_DEPTH,
  type NullOperator,
  type Operator,
  type OrderSpec,
  type RangeOperator,
  type SemanticFilter,
  type SemanticQuery,
  type ValueOperator,
} from './query.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The number of operands of an operator (docs/reference/semantic-queries.md#operators); null: one or more. */
const LIST: Readonly<Record<ListOperator, null>> = {
  EQUALS: null,
  NOT_EQUALS: null,
  CONTAINS: null,
  NOT_CONTAINS: null,
  STARTS_WITH: null,
  NOT_STARTS_WITH: null,
  ENDS_WITH: null,
  NOT_ENDS_WITH: null,
};
const RANGE: Readonly<Record<RangeOperator, 2>> = { IN_DATE_RANGE: 2, NOT_IN_DATE_RANGE: 2 };
const VALUE: Readonly<Record<ValueOperator, 1>> = {
  GREATER_THAN: 1,
  GREATER_THAN_OR_EQUAL: 1,
  LESS_THAN: 1,
  LESS_THAN_OR_EQUAL: 1,
  BEFORE_DATE: 1,
  AFTER_DATE: 1,
  BEFORE_OR_ON_DATE: 1,
  AFTER_OR_ON_DATE: 1,
};
const NULLS: Readonly<Record<NullOperator, 0>> = { IS_NULL: 0, IS_NOT_NULL: 0 };

/** Every operator with its number of operands. */
export const OPERANDS: Readonly<Record<Operator['type'], number | null>> = {
  ...LIST,
  ...RANGE,
  ...VALUE,
  ...NULLS,
};

/**
 * Reads the `query` of a request (docs/reference/semantic-queries.md#form). Null means an absent field, and unknown
 * fields are ignored. Throws a SemanticError `invalid` for a wrong shape; the compiler checks names, values and their
 * number.
 */
export function readQuery(query: unknown): SemanticQuery {
  const fields = readObject(query, 'Query');
  const dimensions = readList(fields.dimensions, 'Dimensions').map((ref) => readFieldRef(ref, 'Dimension'));
  const measures = readList(fields.measures, 'Measures').map((ref) => readFieldRef(ref, 'Measure'));
  if (dimensions.length === 0 && measures.length === 0) throw semanticErrors.nothingAsked();
  const filters = readList(fields.filters, 'Filters').map((filter) => readFilter(filter, 1));
  const orderBy = readList(fields.order_by, 'Order by').map(readOrder);
  const limit = readLimit(fields.limit ?? null);
  const named = dimensions.length + measures.length + orderBy.length;
  if (named > MAX_FIELDS) throw semanticErrors.tooMany('fields', MAX_FIELDS);
  if (countConditions(filters) > MAX_CONDITIONS) throw semanticErrors.tooMany('conditions', MAX_CONDITIONS);
  return { dimensions, measures, filters, orderBy, limit };
}

function countConditions(filters: readonly SemanticFilter[]): number {
  return filters.reduce(
    (sum, filter) => sum + (filter.type === 'CONDITION' ? 1 : countConditions(filter.filters)),
    0,
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readObject(value: unknown, label: string): Fields {
  if (value === undefined || value === null) throw semanticErrors.required(label);
  if (!isObject(value)) throw semanticErrors.mustBe(label, 'an object');
  return value;
}

function readList(value: unknown, label: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw semanticErrors.mustBe(label, 'an array');
  return value;
}

function readText(value: unknown, label: string): string {
  if (value === undefined || value === null || value === '') throw semanticErrors.required(label);
  if (typeof value !== 'string') throw semanticErrors.mustBe(label, 'a string');
  return checkText(value, label);
}

/** Rejects text that no database accepts. */
function checkText(text: string, label: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw semanticErrors.mustBe(label, 'well-formed Unicode without NUL');
}

function readFieldRef(value: unknown, label: string): FieldRef {
  const { entity, field, alias } = readObject(value, label);
  const ref = { entity: readText(entity, 'Entity'), field: readText(field, 'Field') };
  return (alias ?? '') === '' ? ref : { ...ref, alias: readText(alias, 'Alias') };
}

function readFilter(value: unknown, depth: number): SemanticFilter {
  if (depth > MAX_FILTER_DEPTH) throw semanticErrors.nesting(MAX_FILTER_DEPTH);
  const { type, field, operator, filters } = readObject(value, 'Filter');
  const read = readText(type, 'Filter type');
  switch (read) {
    case 'CONDITION':
      return { type: read, field: readFieldRef(field, 'Field'), operator: readOperator(operator) };
    case 'AND':
    case 'OR': {
      const parts = readList(filters, 'Filters');
      if (parts.length === 0) throw semanticErrors.emptyFilters();
      return { type: read, filters: parts.map((part) => readFilter(part, depth + 1)) };
    }
    default:
      throw semanticErrors.filterType(read);
  }
}

function readOperator(document: unknown): Operator {
  const { type: name, value = null, values = null } = readObject(document, 'Operator');
  const type = readText(name, 'Operator type');
  if (isOf(NULLS, type)) {
    if (value !== null || values !== null) throw refuseOperand(type);
    return { type };
  }
  if (isOf(VALUE, type)) {
    if (value === null || values !== null) throw refuseOperand(type);
    if (typeof value !== 'string') throw semanticErrors.mustBe('Value', 'a string');
    return { type, value: checkText(value, 'Value') };
  }
  if (!isOf(LIST, type) && !isOf(RANGE, type))
    throw semanticErrors.operatorType(type, hintOperator(type, Object.keys(OPERANDS)));
  if (!Array.isArray(values) || value !== null) throw refuseOperand(type);
  return { type, values: values.map(readValue) };
}

function isOf<Name extends string>(table: Readonly<Record<Name, unknown>>, name: string): name is Name {
  return Object.hasOwn(table, name);
}

function readValue(value: unknown): string {
  if (typeof value !== 'string') throw semanticErrors.mustBe('Values', 'strings');
  return checkText(value, 'Value');
}

function refuseOperand(type: Operator['type']): SemanticError {
  return semanticErrors.operands(type, OPERANDS[type]);
}

function readOrder(value: unknown): OrderSpec {
  const { field, desc } = readObject(value, 'Order by');
  const ref = readFieldRef(field, 'Field');
  if (typeof (desc ?? false) !== 'boolean') throw semanticErrors.mustBe('Desc', 'true or false');
  return { field: ref, desc: desc === true };
}

function readLimit(value: unknown): SemanticQuery['limit'] {
  if (value === null) return null;
  const { fetch, skip } = readObject(value, 'Limit');
  if ((fetch ?? null) === null) throw semanticErrors.required('Fetch');
  const fetched = readInteger(fetch, 'Fetch');
  if (fetched <= 0) throw semanticErrors.fetch();
  const skipped = readInteger(skip ?? 0, 'Skip');
  if (skipped < 0) throw semanticErrors.skip();
  return { fetch: fetched, skip: skipped };
}

/** Rejects numbers that a double cannot represent exactly. */
function readInteger(value: unknown, label: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw semanticErrors.mustBe(label, 'an integer');
  }
  return value === 0 ? 0 : value;
}
