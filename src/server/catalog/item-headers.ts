/** The ETag of a revision (interface 2.3): a quoted number. */
export function printETag(revision: number): string {
  return `"${revision}"`;
}

/** The URL path of a created item (interface 2.3; catalog 3): segments are percent-encoded, except for `@`. */
export function printLocation(path: string): string {
  const segments = path.split('/').map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'));
  return `/api/v1/catalog/by-path/${segments.join('/')}`;
}
