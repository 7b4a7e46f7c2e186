import { scimErrors } from './errors.ts';
import type { ScimObject } from './resource.ts';
import type { ScimQuery } from './scim-api.ts';

/** The maximum number of resources in one list (docs/reference/scim.md#limits). */
export const MAX_RESULTS = 1_000;
const DEFAULT_COUNT = 100;
/** The highest index. */
const MAX_INDEX = 2 ** 31 - 1;

/** The requested part of a list; `offset` counts from 0. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** One part of a list, and the number of resources in the whole list. */
export interface ListPage {
  readonly total: number;
  readonly resources: readonly ScimObject[];
}

/**
 * Reads the range of a query (RFC 7644, 3.4.2.4): 100 resources by default, 1,000 at most. Throws 400 for other
 * values than whole numbers.
 */
export function readRange({ startIndex, count }: Pick<ScimQuery, 'startIndex' | 'count'>): Range {
  const start = readNumber('startIndex', startIndex) ?? 1;
  const limit = readNumber('count', count) ?? DEFAULT_COUNT;
  return {
    offset: Math.min(Math.max(start, 1), MAX_INDEX) - 1,
    limit: Math.min(Math.max(limit, 0), MAX_RESULTS),
  };
}

/** A list response (docs/reference/scim.md#lists) with this part. */
export function printList({ offset }: Range, { total, resources }: ListPage): ScimObject {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function readNumber(name: string, value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const isWhole = typeof value === 'number' ? Number.isInteger(value) : /^\s*[+-]?\d+\s*$/.test(value);
  if (!isWhole) throw scimErrors.invalidValue(name, 'must be a whole number');
  return Number(value);
}
