/** The ETag of a revision (interface 2.3): a quoted number. */
export function printETag(revision: number): string {
  return `"${revision}"`;
}
