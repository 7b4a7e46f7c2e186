import type { Projection, ScimQuery } from '../../identity/scim/protocol/scim-api.ts';
import { provisioningErrors } from './errors.ts';

/** Query parameters, or the fields of a search; their names are case-insensitive. */
type Given = ReadonlyMap<string, unknown>;

/**
 * Parses the query parameters of a list (docs/reference/scim.md#finding; RFC 7644, 3.4.2). Throws 400 `invalidValue`.
 */
export function readScimQuery(query: unknown): ScimQuery {
  return readGiven(toGiven(query as object));
}

/** Parses the attributes to return from a URL (RFC 7644, 3.9). Throws 400 `invalidValue`. */
export function readProjection(query: unknown): Projection {
  return projectionOf(toGiven(query as object));
}

/** Parses the body of a search (RFC 7644, 3.4.3). Throws 400. */
export function readSearch(body: unknown): ScimQuery {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw provisioningErrors.bodyMustBeObject();
  return readGiven(toGiven(body));
}

function toGiven(fields: object): Given {
  return new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value ?? undefined]));
}

function readGiven(given: Given): ScimQuery {
  const filter = given.get('filter');
  if (filter !== undefined && typeof filter !== 'string') throw provisioningErrors.mustBeText('filter');
  return {
    filter: filter?.trim() === '' ? undefined : filter,
    startIndex: readNumber(given, 'startIndex'),
    count: readNumber(given, 'count'),
    ...projectionOf(given),
  };
}

function projectionOf(given: Given): Projection {
  return {
    attributes: readNames(given, 'attributes'),
    excludedAttributes: readNames(given, 'excludedAttributes'),
  };
}

/** The service checks whether a string is a number. */
function readNumber(given: Given, name: string): string | number | undefined {
  const value = given.get(name.toLowerCase());
  if (value === undefined || typeof value === 'string' || typeof value === 'number') return value;
  throw provisioningErrors.mustBeNumber(name);
}

function readNames(given: Given, name: string): readonly string[] | undefined {
  const value = given.get(name.toLowerCase());
  if (value === undefined) return undefined;
  const texts = [value].flat();
  if (!texts.every((each) => typeof each === 'string')) throw provisioningErrors.mustBeNames(name);
  const names = texts.flatMap((each) => each.split(',')).map((each) => each.trim());
  const named = names.filter((each) => each !== '');
  return named.length === 0 ? undefined : named;
}
