import { applyOperation } from './apply-operation.ts';
import { scimErrors } from './errors.ts';
import { labelOf } from './find-path.ts';
import { readKeys } from './read-keys.ts';
import { createObject, isObject, readValue } from './read-value.ts';
import type { ScimObject } from './resource.ts';
import type { ResourceType } from './schema.ts';

/**
 * The document of a body of POST or PUT (RFC 7644, 3.3 and 3.5.1): names as the schema has them, values of its types, no
 * read-only and no unknown attributes, nothing null, no prototypes. An empty list stays. Throws 400 `invalidSyntax` for what
 * is no object, 400 `invalidValue` for values of other types, too long or too many, and for missing ones.
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
