import { scimErrors } from './errors.ts';
import { findAttribute } from './find-path.ts';
import type { Comparison, ComparisonOperator, Filter } from './parse-filter.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute, AttributeType } from './schema.ts';

const COMPARES: Readonly<Record<ComparisonOperator, (one: string, other: string) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
};

const EQUALITY: readonly ComparisonOperator[] = ['eq', 'ne'];
const ORDER: readonly ComparisonOperator[] = [...EQUALITY, 'gt', 'ge', 'lt', 'le'];
const TEXT: readonly ComparisonOperator[] = [...ORDER, 'co', 'sw', 'ew'];

/** The operators that each type supports (RFC 7644, 3.4.2.2). */
const OPERATORS: Readonly<Record<AttributeType, readonly ComparisonOperator[]>> = {
  string: TEXT,
  reference: TEXT,
  binary: EQUALITY,
  boolean: EQUALITY,
  dateTime: ORDER,
  complex: [],
};

/**
 * Throws 400 `invalidFilter` for unknown attributes, and for operators and values that an attribute does not support.
 */
export function checkFilter(filter: Filter, attributes: readonly Attribute[]): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.parts) checkFilter(part, attributes);
      break;
    case 'not':
      checkFilter(filter.filter, attributes);
      break;
    case 'some':
      checkFilter(filter.filter, attributeOf(filter.path, attributes).subAttributes);
      break;
    case 'present':
      attributeOf(filter.path, attributes);
      break;
    case 'compare':
      checkComparison(filter, attributeOf(filter.path, attributes));
  }
}

/** Whether an object matches a filter, by the type and case sensitivity of the attributes. Call `checkFilter` first. */
export function matchesFilter(filter: Filter, object: ScimObject, attributes: readonly Attribute[]): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesFilter(part, object, attributes));
    case 'or':
      return filter.parts.some((part) => matchesFilter(part, object, attributes));
    case 'not':
      return !matchesFilter(filter.filter, object, attributes);
    case 'some': {
      const { name, subAttributes } = attributeOf(filter.path, attributes);
      const elements = [object[name] ?? []].flat() as readonly ScimObject[];
      return elements.some((element) => matchesFilter(filter.filter, element, subAttributes));
    }
    case 'present':
      return isPresent(object[attributeOf(filter.path, attributes).name]);
    case 'compare':
      return compares(filter, object, attributeOf(filter.path, attributes));
  }
}

function isPresent(value: ScimValue | undefined): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function attributeOf(path: string, attributes: readonly Attribute[]): Attribute {
  const attribute = findAttribute(attributes, path);
  if (attribute === undefined) throw scimErrors.invalidFilter(`there is no attribute ${path.slice(0, 200)}`);
  return attribute;
}

function checkComparison({ operator, value, path }: Comparison, { type }: Attribute): void {
  if (!OPERATORS[type].includes(operator))
    throw scimErrors.invalidFilter(`${path} cannot be compared by ${operator}`);
  if (value === null) return;
  if (type === 'boolean' && !/^(?:true|false)$/i.test(String(value)))
    throw scimErrors.invalidFilter(`${path} can only be compared with true or false`);
  if (type === 'dateTime' && Number.isNaN(Date.parse(String(value))))
    throw scimErrors.invalidFilter(`${path} can only be compared with a date and time`);
}

function compares({ operator, value }: Comparison, object: ScimObject, attribute: Attribute): boolean {
  const actual = object[attribute.name] ?? null;
  if (actual !== null && value !== null)
    return COMPARES[operator](toComparable(actual, attribute), toComparable(value, attribute));
  return EQUALITY.includes(operator) && (actual === value) === (operator === 'eq');
}

/** Converts a value to a string that sorts in the order of the values. */
function toComparable(value: ScimValue, { type, caseExact }: Attribute): string {
  const text = String(value);
  if (type === 'dateTime') return new Date(text).toISOString();
  return caseExact ? text : text.toLowerCase();
}
