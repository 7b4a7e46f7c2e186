import { elementAt } from '../../../invariants/must.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute } from './schema.ts';

/**
 * The values of a multi-valued attribute after an add (RFC 7644, 3.5.2.1). An added value that exists already is merged
 * into the existing one. At most one value is primary: the first primary one of the added values, else of the existing
 * ones. The arguments stay unchanged.
 */
export function mergeElements(
  attribute: Attribute,
  existing: readonly ScimValue[],
  added: readonly ScimValue[],
): readonly ScimValue[] {
  if (attribute.type !== 'complex') return [...new Set([...existing, ...added])];
  const merged: ScimObject[] = [];
  const indexes = new Map<string, number[]>();
  const touched: number[] = [];
  for (const element of [...existing, ...added] as readonly ScimObject[]) {
    const key = keyOf(element);
    const candidates = indexes.get(key) ?? [];
    const index = candidates.find((at) => isSameElement(elementAt(merged, at), element)) ?? merged.length;
    if (index === merged.length) indexes.set(key, [...candidates, index]);
    const same = merged[index];
    merged[index] = same === undefined ? element : mergeObjects(same, element);
    touched.push(index);
  }
  const isPrimary = (index: number) => elementAt(merged, index).primary === true;
  return keepOnePrimary(merged, touched.slice(existing.length).find(isPrimary));
}

/** The elements with at most one primary element: the one at `chosen`, or else the first. */
export function keepOnePrimary(elements: readonly ScimObject[], chosen?: number): readonly ScimObject[] {
  const primary = chosen ?? elements.findIndex((element) => element.primary === true);
  return elements.map((element, index) =>
    element.primary === true && index !== primary ? mergeObjects(element, { primary: false }) : element,
  );
}

/**
 * Whether two elements are the same: an equal `value` and no different `type`, or equal content when they have no
 * `value`.
 */
export function isSameElement(one: ScimValue, other: ScimValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const [left, right] = [one as ScimObject, other as ScimObject];
  if (keyOf(left) !== keyOf(right)) return false;
  if (typeof left.type !== 'string' || typeof right.type !== 'string') return true;
  return left.type.toLowerCase() === right.type.toLowerCase();
}

/** A new object without a prototype, with the properties of both; the second object wins. */
export function mergeObjects(one: ScimObject | undefined, other: ScimObject): ScimObject {
  return Object.assign(Object.create(null), one, other) as ScimObject;
}

function keyOf(element: ScimObject): string {
  const { value, primary: _, ...others } = element;
  return typeof value === 'string' ? `value ${value.toLowerCase()}` : `rest ${JSON.stringify(others)}`;
}
