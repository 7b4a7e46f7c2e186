import { type SemanticError, semanticErrors } from './errors.ts';
import type {
  FieldRef,
  Filter,
  ListOperator,
  NullOperator,
  Operator,
  OrderSpec,
  RangeOperator,
  SemanticQuery,
  ValueOperator,
} from './query.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What an operator takes (interface 4.4). */
type Operand = 'values' | 'two values' | 'value' | 'nothing';

const LIST: Readonly<Record<ListOperator, Operand>> = {
  EQUALS: 'values',
  NOT_EQUALS: 'values',
  CONTAINS: 'values',
  NOT_CONTAINS: 'values',
  STARTS_WITH: 'values',
  NOT_STARTS_WITH: 'values',
  ENDS_WITH: 'values',
  NOT_ENDS_WITH: 'values',
};
const RANGE: Readonly<Record<RangeOperator, Operand>> = {
  IN_DATE_RANGE: 'two values',
  NOT_IN_DATE_RANGE: 'two values',
};
const VALUE: Readonly<Record<ValueOperator, Operand>> = {
  GREATER_THAN: 'value',
  GREATER_THAN_OR_EQUAL: 'value',
  LESS_THAN: 'value',
  LESS_THAN_OR_EQUAL: 'value',
  BEFORE_DATE: 'value',
  AFTER_DATE: 'value',
  BEFORE_OR_ON_DATE: 'value',
  AFTER_OR_ON_DATE: 'value',
};
const NULLS: Readonly<Record<NullOperator, Operand>> = { IS_NULL: 'nothing', IS_NOT_NULL: 'nothing' };

/** Every operator, with what it takes. */
export const OPERANDS: Readonly<Record<Operator['type'], Operand>> = {
  ...LIST,
  ...RANGE,
  ...VALUE,
  ...NULLS,
};

const WANTED: Readonly<Record<Operand, string>> = {
  values: 'values: an array of one or more strings',
  'two values': 'values: an array of two date strings',
  value: 'value: a string',
  nothing: 'neither value nor values',
};

/** How deep filters may be nested. */
const DEEPEST = 100;

/**
 * Reads the `query` of a request (interface 4.4); null is an absent field, and unknown fields are ignored. Throws
 * SemanticError `invalid` for one of the wrong shape; the names in it are not looked up.
 */
export function readQuery(query: unknown): SemanticQuery {
  const fields = readObject(query, 'Query');
  const dimensions = readList(fields.dimensions, 'Dimensions').map((ref) => readFieldRef(ref, 'Dimension'));
  const measures = readList(fields.measures, 'Measures').map((ref) => readFieldRef(ref, 'Measure'));
  if (dimensions.length === 0 && measures.length === 0) throw semanticErrors.nothingAsked();
  return {
    dimensions,
    measures,
    filters: readList(fields.filters, 'Filters').map((filter) => readFilter(filter, 1)),
    orderBy: readList(fields.order_by, 'Order by').map(readOrder),
    limit: readLimit(fields.limit ?? null),
  };
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

/** What no database takes. */
function checkText(text: string, label: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw semanticErrors.mustBe(label, 'well-formed Unicode without NUL');
}

function readFieldRef(value: unknown, label: string): FieldRef {
  const { entity, field, alias } = readObject(value, label);
  const ref = { entity: readText(entity, 'Entity'), field: readText(field, 'Field') };
  return (alias ?? '') === '' ? ref : { ...ref, alias: readText(alias, 'Alias') };
}

function readFilter(value: unknown, depth: number): Filter {
  if (depth > DEEPEST) throw semanticErrors.nestedTooDeep(DEEPEST);
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

function readOperator(given: unknown): Operator {
  const { type: name, value = null, values = null } = readObject(given, 'Operator');
  const type = readText(name, 'Operator type');
  if (isOf(NULLS, type)) {
    if (value !== null || values !== null) throw refuseOperand(type);
    return { type };
  }
  if (isOf(VALUE, type)) {
    if (typeof value !== 'string' || values !== null) throw refuseOperand(type);
    return { type, value: checkText(value, 'Value') };
  }
  if (!isOf(LIST, type) && !isOf(RANGE, type)) throw semanticErrors.operatorType(type);
  if (!isTexts(values) || value !== null) throw refuseOperand(type);
  const isCounted = isOf(RANGE, type) ? values.length === 2 : values.length > 0;
  if (!isCounted) throw refuseOperand(type);
  return { type, values: values.map((each) => checkText(each, 'Value')) };
}

function isOf<Name extends string>(table: Readonly<Record<Name, Operand>>, name: string): name is Name {
  return Object.hasOwn(table, name);
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function refuseOperand(type: Operator['type']): SemanticError {
  return semanticErrors.operand(type, WANTED[OPERANDS[type]]);
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

/** A number beyond what a double holds exactly is none. */
function readInteger(value: unknown, label: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw semanticErrors.mustBe(label, 'an integer');
  }
  return value === 0 ? 0 : value;
}
