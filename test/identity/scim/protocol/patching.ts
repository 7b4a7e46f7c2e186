import { applyOperation } from '../../../../src/identity/scim/protocol/apply-operation.ts';
import { parsePatch } from '../../../../src/identity/scim/protocol/parse-patch.ts';
import { readResource } from '../../../../src/identity/scim/protocol/read-resource.ts';
import type { ScimObject, ScimValue } from '../../../../src/identity/scim/protocol/resource.ts';
import type { Attribute, ResourceType } from '../../../../src/identity/scim/protocol/schema.ts';
import { COMMON_ATTRIBUTES } from '../../../../src/identity/scim/protocol/schema.ts';
import { USER_TYPE } from '../../../../src/identity/scim/resources/user-schema.ts';

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Reads a body, and returns the document as plain JSON. */
export function read(body: unknown, type: ResourceType = USER_TYPE): unknown {
  return JSON.parse(JSON.stringify(readResource(type, body)));
}

/** Applies operations to a body, and returns the document as plain JSON. */
export function patch(
  body: unknown,
  operations: readonly unknown[],
  type: ResourceType = USER_TYPE,
): unknown {
  const document = readResource(type, body);
  for (const operation of parsePatch(type, { schemas: [PATCH_OP], Operations: operations })) {
    applyOperation(document, operation);
  }
  return JSON.parse(JSON.stringify(document));
}

/** The errors in a document: names that its type does not have, values of other types, and objects with a prototype. */
export function listErrors(type: ResourceType, document: ScimObject): readonly string[] {
  const extensions = type.extensions.filter(({ id }) => id in document);
  const core = Object.fromEntries(
    Object.entries(document).filter(([name]) => extensions.every(({ id }) => id !== name)),
  );
  return [
    ...listInherited(document, type.name),
    ...listErrorsOf([...COMMON_ATTRIBUTES, ...type.schema.attributes], core, type.name),
    ...extensions.flatMap(({ id, attributes }) => [
      ...listInherited(document[id], id),
      ...listErrorsOf(attributes, document[id] as ScimObject, id),
    ]),
  ];
}

function listErrorsOf(attributes: readonly Attribute[], object: ScimObject, at: string): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const attribute = attributes.find((known) => known.name === name);
    if (attribute === undefined) return [`${at}.${name} is unknown`];
    if (attribute.mutability === 'readOnly') return [`${at}.${name} is ours`];
    if (Array.isArray(value) !== attribute.multiValued) return [`${at}.${name} is a list, or none`];
    return [value]
      .flat()
      .flatMap((element) => listErrorsIn(attribute, element as ScimValue, `${at}.${name}`));
  });
}

function listErrorsIn({ type, subAttributes }: Attribute, value: ScimValue, at: string): readonly string[] {
  if (type === 'complex' && typeof value === 'object')
    return [...listInherited(value, at), ...listErrorsOf(subAttributes, value as ScimObject, at)];
  return typeof value === (type === 'boolean' ? 'boolean' : 'string') ? [] : [`${at} is ${typeof value}`];
}

function listInherited(object: unknown, at: string): readonly string[] {
  return Object.getPrototypeOf(object) === null ? [] : [`${at} inherits`];
}

/** A picture of Object.prototype and everything below it; two pictures are equal when no code has changed it. */
export function pictureOfGlobals(): readonly string[] {
  const globals = [Object.prototype, Array.prototype, Function.prototype, Object, String.prototype];
  return globals.flatMap((object) => Object.getOwnPropertyNames(object));
}
