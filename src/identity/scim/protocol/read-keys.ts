import { notNull } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';
import { type AttributePath, checkUnknown, findAttribute, findPath } from './find-path.ts';
import { isObject } from './read-value.ts';
import type { ResourceType } from './schema.ts';

/** An attribute and its unchecked value in a body. For an extension as a whole, the value can only be null. */
export interface Assignment {
  readonly path: AttributePath;
  readonly value: unknown;
}

/**
 * Reads the attributes from the keys of an object, in order: names in any case, `name.givenName`, attributes with the
 * URN of a schema before them, and attributes in an object under that URN. The object of a single-valued attribute
 * becomes one assignment for each sub-attribute. Unknown and read-only attributes are left out. Throws 400
 * `invalidValue`, and `invalidPath` for names that every JavaScript object has.
 */
export function readKeys(
  type: ResourceType,
  fields: Readonly<Record<string, unknown>>,
): readonly Assignment[] {
  const core = type.schema.id;
  return Object.entries(fields).flatMap(([key, value]) =>
    key.toLowerCase() === core.toLowerCase() ? readNested(type, core, value) : readKey(type, key, value),
  );
}

/** As `readKeys`, for one path and its value. */
export function readAssignments(
  type: ResourceType,
  path: AttributePath,
  value: unknown,
): readonly Assignment[] {
  const { extension, attribute, sub } = path;
  if (attribute?.mutability === 'readOnly') return [];
  // A sub-attribute that cannot be changed alone, as `members.display`, is only read with the value that contains it.
  if (sub?.mutability === 'readOnly' || sub?.mutability === 'immutable') return [];
  if (value === null) return [{ path, value }];
  if (attribute === null) return readNested(type, notNull(extension).id, value);
  const isApart = attribute.type === 'complex' && !attribute.multiValued && sub === null;
  if (!isApart || !isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const subAttribute = findAttribute(attribute.subAttributes, name);
    if (subAttribute !== undefined)
      return readAssignments(type, { extension, attribute, sub: subAttribute }, inner);
    checkUnknown(name);
    return [];
  });
}

function readKey(type: ResourceType, key: string, value: unknown): readonly Assignment[] {
  const path = findPath(type, key);
  if (path !== undefined) return readAssignments(type, path, value);
  checkUnknown(key);
  return [];
}

function readNested(type: ResourceType, urn: string, value: unknown): readonly Assignment[] {
  if (value === null) return [];
  if (!isObject(value)) throw scimErrors.invalidValue(urn, 'must be an object');
  return Object.entries(value).flatMap(([name, inner]) => readKey(type, `${urn}:${name}`, inner));
}
