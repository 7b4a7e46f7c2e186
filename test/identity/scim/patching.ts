import { applyOperation } from '../../../src/identity/scim/apply-operation.ts';
import { parsePatch } from '../../../src/identity/scim/parse-patch.ts';
import { readResource } from '../../../src/identity/scim/read-resource.ts';
import type { ScimObject } from '../../../src/identity/scim/resource.ts';
import type { Attribute, ResourceType, Schema } from '../../../src/identity/scim/schema.ts';
import { COMMON_ATTRIBUTES } from '../../../src/identity/scim/schema.ts';
import { USER_TYPE } from '../../../src/identity/scim/user-schema.ts';

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The document of a body, as plain JSON. */
export function read(body: unknown, type: ResourceType = USER_TYPE): unknown {
  return JSON.parse(JSON.stringify(readResource(type, body)));
}

/** The document of a body after some operations, as plain JSON. */
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

/** Every name in a document that its type does not know, and every object that inherits something. */
export function listFaults(type: ResourceType, document: ScimObject): readonly string[] {
  const faults: string[] = [];
  const walk = (
    value: unknown,
    attributes: readonly Attribute[],
    extensions: readonly Schema[],
    at: string,
  ) => {
    if (Array.isArray(value)) {
      for (const element of value) walk(element, attributes, [], at);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      if (attributes.length > 0 || value === null || value === undefined) faults.push(`${at}: ${value}`);
      return;
    }
    if (Object.getPrototypeOf(value) !== null) faults.push(`${at} inherits`);
    for (const [name, inner] of Object.entries(value)) {
      const attribute = attributes.find((known) => known.name === name);
      const extension = extensions.find((known) => known.id === name);
      if (attribute !== undefined) {
        if (Array.isArray(inner) !== attribute.multiValued) faults.push(`${at}.${name} is a list or none`);
        walk(inner, attribute.subAttributes, [], `${at}.${name}`);
      } else if (extension !== undefined) walk(inner, extension.attributes, [], name);
      else faults.push(`${at}.${name}`);
    }
  };
  walk(document, [...COMMON_ATTRIBUTES, ...type.schema.attributes], type.extensions, type.name);
  return faults;
}

/** What every object has, with everything below it: two pictures are equal while nobody has touched it. */
export function pictureOfGlobals(): readonly string[] {
  const globals = [Object.prototype, Array.prototype, Function.prototype, Object, String.prototype];
  return globals.flatMap((object) => Object.getOwnPropertyNames(object).map((name) => name));
}
