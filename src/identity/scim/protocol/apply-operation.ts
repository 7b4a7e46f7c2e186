import { elementAt, present } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';
import { findAttribute } from './find-path.ts';
import { matchesFilter } from './match-filter.ts';
import { isSameElement, keepOnePrimary, mergeElements, mergeObjects } from './merge-elements.ts';
import { type Comparison, listEqualities } from './parse-filter.ts';
import type { AttributeTarget, Operation } from './parse-patch.ts';
import { checkCount, createObject, readValue } from './read-value.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute } from './schema.ts';

type Setting = Extract<Operation, { op: 'add' | 'replace' }>;

/**
 * Applies one operation of a PATCH to a document of `readResource` (RFC 7644, 3.5.2). Sets and deletes attributes of
 * the document, and never changes their old values. If the filter matches no value, adds one that has the values of
 * the filter's equalities. Throws 400 `noTarget` when the filter is not only equalities, and 400 `invalidValue` for
 * too many values.
 */
export function applyOperation(document: ScimObject, operation: Operation): void {
  const { target } = operation;
  if (target.attribute === null) {
    delete document[target.extension.id];
    return;
  }
  const { extension, attribute } = target;
  const object = extension === null ? document : mergeObjects(document[extension.id] as ScimObject, {});
  const current = object[attribute.name];
  const value =
    operation.op === 'remove'
      ? findRemaining(current, target, operation.value)
      : findChanged(current, operation);
  if (value === undefined) delete object[attribute.name];
  else object[attribute.name] = value;
  if (extension === null) return;
  if (Object.keys(object).length === 0) delete document[extension.id];
  else document[extension.id] = object;
}

/** The value of an attribute after an add or a replace; undefined removes the attribute. */
function findChanged(current: ScimValue | undefined, operation: Setting): ScimValue | undefined {
  const { op, target, value } = operation;
  const { attribute, sub } = target;
  if (attribute.multiValued) {
    const elements = changeElements((current ?? []) as readonly ScimValue[], operation);
    checkCount(attribute, elements.length);
    return elements.length === 0 && (op === 'replace' || current === undefined) ? undefined : elements;
  }
  if (attribute.type !== 'complex') return value;
  return mergeObjects(current as ScimObject, sub === null ? (value as ScimObject) : { [sub.name]: value });
}

function changeElements(elements: readonly ScimValue[], operation: Setting): readonly ScimValue[] {
  const { op, target, value } = operation;
  const { attribute, filter, sub } = target;
  if (filter === null && sub === null) {
    const values = value as readonly ScimValue[];
    return op === 'replace' ? values : mergeElements(attribute, elements, values);
  }
  const objects = elements as readonly ScimObject[];
  const update = sub === null ? elementAt(value as readonly ScimObject[], 0) : { [sub.name]: value };
  const chosen = objects.findIndex((element) => isChosen(element, target));
  const known = filter === null ? [] : listEqualities(filter);
  if (chosen < 0) {
    if (known === null) throw scimErrors.noTarget(`No value of ${attribute.name} matches the filter`);
    return mergeElements(attribute, elements, [mergeObjects(toElement(attribute, known), update)]);
  }
  const isWhole = op === 'replace' && sub === null;
  const next = objects.map((element) => {
    if (!isChosen(element, target)) return element;
    return mergeObjects(isWhole ? toElement(attribute, known ?? []) : element, update);
  });
  const result = keepOnePrimary(next, update.primary === true ? chosen : undefined);
  return mergeElements(attribute, [], result);
}

/** The value of an attribute after a remove; undefined removes the attribute. */
function findRemaining(
  current: ScimValue | undefined,
  target: AttributeTarget,
  removed: readonly ScimValue[] | undefined,
): ScimValue | undefined {
  const { attribute, sub } = target;
  if (current === undefined) return undefined;
  if (!attribute.multiValued) return sub === null ? undefined : without(current as ScimObject, sub);
  const elements = current as readonly ScimValue[];
  const left =
    removed === undefined
      ? (elements as readonly ScimObject[]).flatMap((element) => removeFrom(element, target) ?? [])
      : elements.filter((element) => !removed.some((other) => isSameElement(element, other)));
  return left.length === 0 ? undefined : left;
}

/** One value after a remove; undefined when the remove deletes it, as without its sub-attribute `value`. */
function removeFrom(element: ScimObject, target: AttributeTarget): ScimObject | undefined {
  if (!isChosen(element, target)) return element;
  return target.sub === null || target.sub.name === 'value' ? undefined : without(element, target.sub);
}

function without(object: ScimObject, sub: Attribute): ScimObject | undefined {
  const remainder = mergeObjects(object, {});
  delete remainder[sub.name];
  return Object.keys(remainder).length === 0 ? undefined : remainder;
}

function isChosen(element: ScimObject, { filter, attribute }: AttributeTarget): boolean {
  return filter === null || matchesFilter(filter, element, attribute.subAttributes);
}

/** Makes a value from the equalities of a filter. */
function toElement(attribute: Attribute, equalities: readonly Comparison[]): ScimObject {
  const element = createObject();
  for (const { path, value } of equalities) {
    const sub = present(findAttribute(attribute.subAttributes, path));
    const read = readValue(sub, value === null ? null : String(value));
    if (read !== undefined) element[sub.name] = read;
  }
  return element;
}
