import { present } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';
import { type Attribute, COMMON_ATTRIBUTES, type ResourceType, type Schema } from './schema.ts';

/** An attribute of a resource or of an extension, and possibly one of its sub-attributes. */
export interface AttributePath {
  readonly extension: Schema | null;
  /** Null for the extension as a whole. */
  readonly attribute: Attribute | null;
  readonly sub: Attribute | null;
}

/** Finds an attribute by its name, in any case. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name === name || attribute.name.toLowerCase() === wanted);
}

/** Every attribute of a resource type except those of its extensions. */
export function listAttributes(type: ResourceType): readonly Attribute[] {
  return [...COMMON_ATTRIBUTES, ...type.schema.attributes];
}

/**
 * Resolves a path of RFC 7644, 3.10, as `name.givenName`, `URN:department` or the URN of an extension, in any case;
 * undefined when no schema has it.
 */
export function findPath(type: ResourceType, path: string): AttributePath | undefined {
  const text = path.toLowerCase();
  for (const extension of type.extensions) {
    if (text === extension.id.toLowerCase()) return { extension, attribute: null, sub: null };
    const names = afterUrn(path, extension);
    if (names !== undefined) return findNames(extension.attributes, names, extension);
  }
  return findNames(listAttributes(type), afterUrn(path, type.schema) ?? path, null);
}

/** Throws 400 `invalidPath` for an unknown path with a name that every JavaScript object has, as `constructor`. */
export function checkUnknown(path: string): void {
  for (const name of path.split(/[.:[]/)) {
    if (Object.hasOwn(Object.prototype, name) || name === 'prototype')
      throw scimErrors.invalidPath(path, 'no attribute may have this name');
  }
}

/** The name of an attribute in error messages. */
export function labelOf({ extension, attribute, sub }: AttributePath): string {
  return [attribute?.name ?? extension?.id, sub?.name].filter((name) => name !== undefined).join('.');
}

function afterUrn(path: string, schema: Schema): string | undefined {
  const length = schema.id.length;
  const isPrefix = path.slice(0, length).toLowerCase() === schema.id.toLowerCase();
  return isPrefix && /^[:.]/.test(path.slice(length)) ? path.slice(length + 1) : undefined;
}

function findNames(
  attributes: readonly Attribute[],
  path: string,
  extension: Schema | null,
): AttributePath | undefined {
  const [name, sub, ...others] = path.split('.');
  const attribute = findAttribute(attributes, present(name));
  if (attribute === undefined || others.length > 0) return undefined;
  if (sub === undefined) return { extension, attribute, sub: null };
  const subAttribute = findAttribute(attribute.subAttributes, sub);
  return subAttribute && { extension, attribute, sub: subAttribute };
}
