import { notNull } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';
import { type AttributePath, findPath, labelOf } from './find-path.ts';
import { checkFilter } from './match-filter.ts';
import { type Filter, parseValuePath } from './parse-filter.ts';
import { type Assignment, readAssignments, readKeys } from './read-keys.ts';
import { isObject, readValue } from './read-value.ts';
import type { ScimValue } from './resource.ts';
import { type Attribute, COMMON_ATTRIBUTES, type ResourceType, type Schema } from './schema.ts';

/** The part of a resource that an operation changes. */
export interface AttributeTarget {
  readonly extension: Schema | null;
  readonly attribute: Attribute;
  /** Selects values of a multi-valued attribute; null for all values. */
  readonly filter: Filter | null;
  /** The sub-attribute of the selected values; null for the whole values. */
  readonly sub: Attribute | null;
}

/** An extension as a whole, which can only be removed. */
interface ExtensionTarget {
  readonly extension: Schema;
  readonly attribute: null;
  readonly filter: null;
  readonly sub: null;
}

/** One operation of a PATCH; its values have the types of the schema. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly target: AttributeTarget; readonly value: ScimValue }
  | {
      readonly op: 'remove';
      readonly target: AttributeTarget | ExtensionTarget;
      /** The values to remove, when the path has neither a filter nor a sub-attribute. */
      readonly value?: readonly ScimValue[];
    };

type Verb = Operation['op'];

const MAX_OPERATIONS = 1_000;
const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['add', 'add'],
  ['replace', 'replace'],
  ['remove', 'remove'],
]);

/**
 * Parses the operations of a PATCH body (RFC 7644, 3.5.2), in order, and checks them against the schema. An operation
 * without a path becomes one operation for each key of its value. Keys that no schema has, and read-only attributes
 * that every resource has, are ignored. Throws 400 `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`,
 * `noTarget`, `mutability`.
 */
export function parsePatch(type: ResourceType, body: unknown): readonly Operation[] {
  if (!isObject(body)) throw scimErrors.invalidSyntax('The body must be a JSON object');
  const operations = fieldOf(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimErrors.invalidSyntax('Operations must be a list that is not empty');
  if (operations.length > MAX_OPERATIONS)
    throw scimErrors.invalidSyntax(`There must be at most ${MAX_OPERATIONS} Operations`);
  return operations.flatMap((operation) => parseOperation(type, operation));
}

function parseOperation(type: ResourceType, operation: unknown): readonly Operation[] {
  if (!isObject(operation)) throw scimErrors.invalidSyntax('An operation must be an object');
  const word = fieldOf(operation, 'op');
  const op = typeof word === 'string' ? VERBS.get(word.toLowerCase()) : undefined;
  if (op === undefined) throw scimErrors.invalidSyntax('op must be add, replace or remove');
  const path = fieldOf(operation, 'path') ?? '';
  const value = fieldOf(operation, 'value');
  if (typeof path !== 'string') throw scimErrors.invalidPath('path', 'it must be a string');
  if (path.trim() !== '') return parseAt(type, op, path, value);
  if (op === 'remove') throw scimErrors.noTarget('remove needs a path');
  if (!isObject(value)) throw scimErrors.invalidValue('value', 'must be an object where there is no path');
  return readKeys(type, value).flatMap((assignment) => toOperation(op, assignment, null));
}

function parseAt(type: ResourceType, op: Verb, text: string, value: unknown): readonly Operation[] {
  const { path, filter } = findTarget(type, text);
  if (isOurs(path)) return [];
  checkMutable(path);
  if (op === 'remove') return [toRemoval(path, filter, value)];
  if (value === undefined) throw scimErrors.invalidValue(labelOf(path), 'needs a value');
  return readAssignments(type, path, value).flatMap((assignment) => toOperation(op, assignment, filter));
}

function findTarget(type: ResourceType, text: string): { path: AttributePath; filter: Filter | null } {
  if (!text.includes('[')) return { path: findKnown(type, text.trim(), text), filter: null };
  const { path, filter, sub } = parseValuePath(text);
  const list = findKnown(type, path, text);
  if (list.attribute?.multiValued !== true || list.sub !== null)
    throw scimErrors.invalidPath(text, 'only lists have values to choose from');
  checkFilter(filter, list.attribute.subAttributes);
  return { path: sub === null ? list : findKnown(type, `${path}.${sub}`, text), filter };
}

function findKnown(type: ResourceType, path: string, text: string): AttributePath {
  const attributePath = findPath(type, path);
  if (attributePath === undefined) throw scimErrors.invalidPath(text, 'there is no such attribute');
  return attributePath;
}

/** Whether a path is a read-only attribute of every resource, as `id`: clients may send it, and it stays unchanged. */
function isOurs({ attribute }: AttributePath): boolean {
  return attribute?.mutability === 'readOnly' && COMMON_ATTRIBUTES.includes(attribute);
}

function checkMutable(path: AttributePath): void {
  const isFixed =
    path.attribute?.mutability === 'readOnly' ||
    path.sub?.mutability === 'readOnly' ||
    path.sub?.mutability === 'immutable';
  if (isFixed) throw scimErrors.mutability(labelOf(path), 'cannot be changed');
}

function toOperation(
  op: 'add' | 'replace',
  { path, value }: Assignment,
  filter: Filter | null,
): readonly Operation[] {
  if (value === null) return op === 'add' ? [] : [toRemoval(path, filter, undefined)];
  const { extension, sub } = path;
  const attribute = notNull(path.attribute);
  const read = readValue(sub ?? attribute, value, labelOf(path));
  if (read === undefined) return [];
  if (filter !== null && Array.isArray(read) && read.length !== 1)
    throw scimErrors.invalidValue(attribute.name, 'must be one value where a filter chooses');
  return [{ op, target: { extension, attribute, filter, sub }, value: read }];
}

function toRemoval(path: AttributePath, filter: Filter | null, value: unknown): Operation {
  const { extension, attribute, sub } = path;
  if (attribute === null) {
    return { op: 'remove', target: { extension: notNull(extension), attribute, filter: null, sub: null } };
  }
  const removed = sub ?? attribute;
  if (removed.required && filter === null) throw scimErrors.mutability(removed.name, 'is required');
  const target = { extension, attribute, filter, sub };
  const isChosen = attribute.multiValued && filter === null && sub === null;
  if (!isChosen || value === undefined || value === null) return { op: 'remove', target };
  return { op: 'remove', target, value: readValue(attribute, value) as readonly ScimValue[] };
}

/** The value of a field of a message; clients write field names in any case. */
function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(fields).find(([key]) => key.toLowerCase() === name)?.[1];
}
