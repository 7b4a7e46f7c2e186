import { scimErrors } from './errors.ts';
import { checkNames, findAttribute } from './find-path.ts';
import type { Comparison, ComparisonOperator, Filter } from './parse-filter.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute } from './schema.ts';

type Ordered = string | number;

const COMPARES: Readonly<Record<ComparisonOperator, (one: Ordered, other: Ordered) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => String(one).includes(String(other)),
  sw: (one, other) => String(one).startsWith(String(other)),
  ew: (one, other) => String(one).endsWith(String(other)),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
};

/** Throws 400 `invalidFilter` for attributes that are not there and for what they cannot be compared with. */
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

/** Whether an object has what a filter wants, by the case and type that its attributes have; `checkFilter` comes first. */
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
      return object[attributeOf(filter.path, attributes).name] !== undefined;
    case 'compare':
      return compares(filter, object, attributeOf(filter.path, attributes));
  }
}

function attributeOf(path: string, attributes: readonly Attribute[]): Attribute {
  checkNames(path);
  const attribute = findAttribute(attributes, path);
  if (attribute === undefined) throw scimErrors.invalidFilter(`there is no attribute ${path.slice(0, 200)}`);
  return attribute;
}

function checkComparison({ operator, value, path }: Comparison, attribute: Attribute): void {
  if (attribute.type === 'complex') throw scimErrors.invalidFilter(`${path} has no value of its own`);
  if (value === null || attribute.type !== 'boolean') return;
  if (operator !== 'eq' && operator !== 'ne')
    throw scimErrors.invalidFilter(`${path} can be compared by eq and ne only`);
  if (!/^(?:true|false)$/i.test(String(value))) throw scimErrors.invalidFilter(`${path} is true or false`);
}

function compares({ operator, value }: Comparison, object: ScimObject, attribute: Attribute): boolean {
  const actual = object[attribute.name];
  if (actual === undefined || value === null) {
    const isSame = actual === undefined && value === null;
    return operator === 'ne' ? !isSame : operator === 'eq' && isSame;
  }
  return COMPARES[operator](toComparable(actual, attribute), toComparable(value, attribute));
}

function toComparable(value: ScimValue, { type, caseExact }: Attribute): Ordered {
  const text = String(value);
  if (type === 'dateTime') return Date.parse(text);
  return caseExact ? text : text.toLowerCase();
}
