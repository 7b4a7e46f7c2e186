import { notNull } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';
import { type AttributePath, checkUnknown, findAttribute, findPath } from './find-path.ts';
import { isObject } from './read-value.ts';
import type { ResourceType } from './schema.ts';

/** What a body says of one attribute, as it came. The value of an extension as a whole is null: it is taken apart else. */
export interface Assignment {
  readonly path: AttributePath;
  readonly value: unknown;
}

/**
 * What the keys of an object say about a resource, in order: names in any case, `name.givenName`, attributes behind the
 * URN of a schema, and all that is nested under one. An object of an attribute that has only one value is taken apart, too.
 * Unknown and read-only attributes are left out. Throws 400 `invalidValue`, and `invalidPath` for names that every object has.
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

/** The same for what one path names and its value. */
export function readAssignments(
  type: ResourceType,
  path: AttributePath,
  value: unknown,
): readonly Assignment[] {
  const { extension, attribute, sub } = path;
  if (attribute?.mutability === 'readOnly') return [];
  // What cannot be changed by itself, as `members.display`, is a part of the value around it.
  if (sub?.mutability === 'readOnly' || sub?.mutability === 'immutable') return [];
  if (value === null) return [{ path, value }];
  if (attribute === null) return readNested(type, notNull(extension).id, value);
  const isApart = attribute.type === 'complex' && !attribute.multiValued && sub === null;
  if (!isApart || !isObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const found = findAttribute(attribute.subAttributes, name);
    if (found !== undefined) return readAssignments(type, { extension, attribute, sub: found }, inner);
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
