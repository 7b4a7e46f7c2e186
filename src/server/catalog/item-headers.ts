/** The ETag of a revision (interface 2.3): a quoted number. */
export function printETag(revision: number): string {
  return `"${revision}"`;
}

/** The URL path of a created item (interface 2.3; catalog 3). */
export function printLocation(path: string): string {
  return `/api/v1/catalog/by-path/${printPathSegments(path)}`;
}

/** A catalog path as part of a URL: segments are percent-encoded, except for `@`. */
export function printPathSegments(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'))
    .join('/');
}
