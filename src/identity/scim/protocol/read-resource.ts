import { applyOperation } from './apply-operation.ts';
import { scimErrors } from './errors.ts';
import { labelOf } from './find-path.ts';
import { readKeys } from './read-keys.ts';
import { createObject, isObject, readValue } from './read-value.ts';
import type { ScimObject } from './resource.ts';
import type { ResourceType } from './schema.ts';

/**
 * Reads the document of a POST or PUT body (RFC 7644, 3.3 and 3.5.1). Its names and types are those of the schema. It
 * has no read-only or unknown attributes, no null and no prototypes. An empty list stays. Throws 400 `invalidSyntax`
 * when the body is not an object, and 400 `invalidValue` for a value that is missing, too long, of another type, or
 * one of too many.
 */
export function readResource(type: ResourceType, body: unknown): ScimObject {
  if (!isObject(body)) throw scimErrors.invalidSyntax('The body must be a JSON object');
  const document = createObject();
  for (const { path, value } of readKeys(type, body)) {
    const { extension, attribute, sub } = path;
    if (attribute === null) continue;
    const read = readValue(sub ?? attribute, value, labelOf(path));
    if (read === undefined) continue;
    if (Array.isArray(read) && read.length === 0) document[attribute.name] ??= read;
    applyOperation(document, { op: 'add', target: { extension, attribute, filter: null, sub }, value: read });
  }
  for (const { name, required } of type.schema.attributes) {
    if (required && !(name in document)) throw scimErrors.invalidValue(name, 'is required');
  }
  return document;
}
