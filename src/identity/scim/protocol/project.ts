import { type AttributePath, findPath, listAttributes } from './find-path.ts';
import { mergeObjects } from './merge-elements.ts';
import { createObject } from './read-value.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute, ResourceType, Schema } from './schema.ts';
import type { Projection } from './scim-api.ts';

/**
 * The attributes of a resource that a response contains (RFC 7644, 3.9): the attributes with the characteristic
 * `always`, and the requested ones, or those with `default` when the request names none. Excluded attributes are left
 * out. Names may be in any case and have a URN before them; unknown names are ignored. Attributes that no schema has
 * are left out.
 */
export function projectResource(
  type: ResourceType,
  resource: ScimObject,
  projection: Projection,
): ScimObject {
  const isWanted = chooser(type, projection);
  const answer = projectAttributes(listAttributes(type), resource, null, isWanted);
  for (const extension of type.extensions) {
    const object = resource[extension.id] as ScimObject | undefined;
    const chosen = object && projectAttributes(extension.attributes, object, extension, isWanted);
    if (chosen !== undefined && Object.keys(chosen).length > 0) answer[extension.id] = chosen;
  }
  return answer;
}

/**
 * Whether a response contains an attribute or a part of it. Otherwise the caller does not need to read the attribute.
 */
export function isProjected(type: ResourceType, attribute: string, projection: Projection): boolean {
  const path = findPath(type, attribute);
  return path?.attribute ? chooser(type, projection)(path as ProjectedAttribute) : false;
}

/** An attribute or a sub-attribute. */
interface ProjectedAttribute extends AttributePath {
  readonly attribute: Attribute;
}

type Wants = (target: ProjectedAttribute) => boolean;

function chooser(type: ResourceType, projection: Projection): Wants {
  const names = projection.attributes ?? [];
  const asked = findPaths(type, names);
  const excluded = findPaths(type, projection.excludedAttributes ?? []);
  return (target) => {
    const { returned } = target.sub ?? target.attribute;
    if (returned === 'always' || returned === 'never') return returned === 'always';
    if (excluded.some((path) => covers(path, target))) return false;
    if (names.length === 0) return returned === 'default';
    // A request for a sub-attribute also returns the object that contains it.
    return asked.some((path) => covers(path, target) || (target.sub === null && isWithin(path, target)));
  };
}

function findPaths(type: ResourceType, names: readonly string[]): readonly AttributePath[] {
  return names.flatMap((name) => findPath(type, name.trim()) ?? []);
}

function covers(path: AttributePath, target: ProjectedAttribute): boolean {
  if (path.attribute === null) return path.extension === target.extension;
  return isWithin(path, target) && (path.sub === null || path.sub === target.sub);
}

function isWithin(path: AttributePath, target: ProjectedAttribute): boolean {
  return path.extension === target.extension && path.attribute === target.attribute;
}

function projectAttributes(
  attributes: readonly Attribute[],
  object: ScimObject,
  extension: Schema | null,
  isWanted: Wants,
): ScimObject {
  const answer = createObject();
  for (const attribute of attributes) {
    const value = object[attribute.name];
    if (value === undefined || !isWanted({ extension, attribute, sub: null })) continue;
    const unwanted = attribute.subAttributes.filter((sub) => !isWanted({ extension, attribute, sub }));
    answer[attribute.name] = unwanted.length === 0 ? value : withoutAll(value, unwanted);
  }
  return answer;
}

function withoutAll(value: ScimValue, unwanted: readonly Attribute[]): ScimValue {
  if (Array.isArray(value)) return value.map((element) => withoutAll(element, unwanted));
  const object = mergeObjects(value as ScimObject, {});
  for (const { name } of unwanted) delete object[name];
  return object;
}
