import { scimErrors } from './errors.ts';
import { checkUnknown, findAttribute } from './find-path.ts';
import { mergeElements } from './merge-elements.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute, AttributeType } from './schema.ts';

/** The maximum number of characters of one string. */
const MAX_TEXT_LENGTH = 10_000;

type Reader = (attribute: Attribute, value: unknown, label: string) => ScimValue | undefined;

const READERS: Readonly<Record<AttributeType, Reader>> = {
  string: readText,
  reference: readText,
  binary: readText,
  dateTime: readText,
  boolean: readBoolean,
  complex: readComplex,
};

/**
 * Converts a JSON value to the type of its attribute. A single value for a multi-valued attribute becomes a list. A
 * string for a complex attribute becomes an object with this `value`. `"True"` becomes true. Unknown sub-attributes
 * are left out. Undefined when the value means the same as absent. Throws 400 `invalidValue`, which names the
 * attribute by `label`.
 */
export function readValue(
  attribute: Attribute,
  value: unknown,
  label: string = attribute.name,
): ScimValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return READERS[attribute.type](attribute, value, label);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  checkCount(attribute, values.length, label);
  const elements = values.flatMap((element) =>
    element === null ? [] : (READERS[attribute.type](attribute, element, label) ?? []),
  );
  return mergeElements(attribute, [], elements);
}

/** Throws 400 `invalidValue` for more values than an attribute may have. */
export function checkCount(attribute: Attribute, count: number, label: string = attribute.name): void {
  if (count > attribute.maxValues)
    throw scimErrors.invalidValue(label, `must have at most ${attribute.maxValues} values`);
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty object without a prototype. */
export function createObject(): ScimObject {
  return Object.create(null) as ScimObject;
}

function readText(_attribute: Attribute, value: unknown, label: string): string {
  if (typeof value !== 'string') throw scimErrors.invalidValue(label, 'must be a string');
  if (value.length > MAX_TEXT_LENGTH)
    throw scimErrors.invalidValue(label, `must have at most ${MAX_TEXT_LENGTH} characters`);
  if (!value.isWellFormed()) throw scimErrors.invalidValue(label, 'must be well-formed Unicode');
  return value;
}

function readBoolean(_attribute: Attribute, value: unknown, label: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  throw scimErrors.invalidValue(label, 'must be true or false');
}

function readComplex(attribute: Attribute, value: unknown, label: string): ScimObject | undefined {
  const fields = typeof value === 'string' ? { value } : value;
  const isLone = fields !== value && findAttribute(attribute.subAttributes, 'value') === undefined;
  if (!isObject(fields) || isLone) throw scimErrors.invalidValue(label, 'must be an object');
  const object = createObject();
  for (const [name, inner] of Object.entries(fields)) {
    const sub = findAttribute(attribute.subAttributes, name);
    if (sub === undefined) checkUnknown(name);
    if (sub === undefined || sub.mutability === 'readOnly') continue;
    const read = readValue(sub, inner, `${label}.${sub.name}`);
    if (read !== undefined) object[sub.name] = read;
  }
  if (Object.keys(object).length === 0) return undefined;
  checkRequired(attribute, object, label);
  return object;
}

function checkRequired(attribute: Attribute, object: ScimObject, label: string): void {
  for (const sub of attribute.subAttributes) {
    if (sub.required && !(sub.name in object))
      throw scimErrors.invalidValue(`${label}.${sub.name}`, 'is required');
  }
}
