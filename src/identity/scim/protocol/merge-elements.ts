import { elementAt } from '../../../invariants/must.ts';
import type { ScimObject, ScimValue } from './resource.ts';
import type { Attribute } from './schema.ts';

/**
 * The values of a multi-valued attribute after others have been added (RFC 7644, 3.5.2.1): one that is there already takes
 * what the new one says more. At most one is primary: the first of those added, else the first that was there. Changes
 * nothing that it is given.
 */
export function mergeElements(
  attribute: Attribute,
  existing: readonly ScimValue[],
  added: readonly ScimValue[],
): readonly ScimValue[] {
  if (attribute.type !== 'complex') return [...new Set([...existing, ...added])];
  const merged: ScimObject[] = [];
  const places = new Map<string, number[]>();
  const touched: number[] = [];
  for (const element of [...existing, ...added] as readonly ScimObject[]) {
    const key = keyOf(element);
    const candidates = places.get(key) ?? [];
    const place = candidates.find((at) => isSameElement(elementAt(merged, at), element)) ?? merged.length;
    if (place === merged.length) places.set(key, [...candidates, place]);
    const same = merged[place];
    merged[place] = same === undefined ? element : mergeObjects(same, element);
    touched.push(place);
  }
  const isPrimary = (place: number) => elementAt(merged, place).primary === true;
  return keepOnePrimary(merged, touched.slice(existing.length).find(isPrimary));
}

/** The elements with no primary one but that at `chosen`, or else the first. */
export function keepOnePrimary(elements: readonly ScimObject[], chosen?: number): readonly ScimObject[] {
  const kept = chosen ?? elements.findIndex((element) => element.primary === true);
  return elements.map((element, place) =>
    element.primary === true && place !== kept ? mergeObjects(element, { primary: false }) : element,
  );
}

/** Whether two elements are one: of the same `value` and no different `type`; without a `value`, of the same content. */
export function isSameElement(one: ScimValue, other: ScimValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const [left, right] = [one as ScimObject, other as ScimObject];
  if (keyOf(left) !== keyOf(right)) return false;
  if (typeof left.type !== 'string' || typeof right.type !== 'string') return true;
  return left.type.toLowerCase() === right.type.toLowerCase();
}

/** A new object without a prototype that has what both have; the second counts. */
export function mergeObjects(one: ScimObject | undefined, other: ScimObject): ScimObject {
  return Object.assign(Object.create(null), one, other) as ScimObject;
}

function keyOf(element: ScimObject): string {
  const { value, primary: _, ...rest } = element;
  return typeof value === 'string' ? `value ${value.toLowerCase()}` : `rest ${JSON.stringify(rest)}`;
}
