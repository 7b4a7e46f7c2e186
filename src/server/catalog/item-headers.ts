/** The ETag of a revision (docs/reference/http-catalog.md#revisions): a quoted number. */
export function printETag(revision: number): string {
  return `"${revision}"`;
}

/** The URL path of a created item (docs/reference/http-catalog.md#revisions). */
export function printItemLocation(path: string): string {
  return `/api/v1/catalog/by-path/${printPathSegments(path)}`;
}

/** A catalog path as part of a URL: segments are percent-encoded, except for `@`. */
export function printPathSegments(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'))
    .join('/');
}
