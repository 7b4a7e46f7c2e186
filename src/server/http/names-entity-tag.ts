/** An entity tag of a list, or a comma. */
const TAG = /\s*(?:W\/)?("[^"]*")\s*(?:,|$)/y;

/** Whether an `If-None-Match` header names an entity tag, compared weakly (RFC 9110, 13.1.2). */
export function namesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  TAG.lastIndex = 0;
  for (let match = TAG.exec(header); match !== null; match = TAG.exec(header)) {
    if (match[1] === opaque) return true;
  }
  return false;
}
