import { pathNotFound } from './errors.ts';

/** The namespaces in the order of a listing (docs/reference/http-catalog.md#paths). */
export const NAMESPACES = ['@Personal', '@Project Hub', '@Shared'] as const;

/** The start of every path. */
export type Namespace = (typeof NAMESPACES)[number];

/** A path in the catalog, which may not exist: `names` lead from the namespace's root down. */
export interface CatalogPath {
  readonly namespace: Namespace;
  readonly names: readonly string[];
}

/**
 * Parses a decoded path, with or without a leading `/` and one trailing `/` (docs/reference/http-catalog.md#paths).
 * Throws 404 if it does not start with a namespace or has an empty, `.` or `..` segment, because no item can have such
 * a path.
 */
export function parsePath(text: string): CatalogPath {
  const [first, ...names] = text.replace(/^\//, '').replace(/\/$/, '').split('/');
  const namespace = NAMESPACES.find((name) => name === first);
  if (namespace === undefined || !text.isWellFormed() || names.some(isNoName)) throw pathNotFound(text);
  return { namespace, names };
}

/** Whether a decoded path names the level above the namespaces. */
export function isTop(text: string): boolean {
  return text === '' || text === '/';
}

/** Prints a path in the form of responses, without a leading slash. */
export function printPath({ namespace, names }: CatalogPath): string {
  return [namespace, ...names].join('/');
}

function isNoName(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..';
}
