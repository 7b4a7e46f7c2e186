/** An entity tag of a list, or a comma. */
const TAG = /\s*(?:W\/)?("[^"]*")\s*(?:,|$)/y;

/** Whether a header `If-None-Match` names a version, weakly compared (RFC 9110, 13.1.2), so that it need not be sent. */
export function namesVersion(header: string | undefined, version: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = version.replace(/^W\//, '');
  TAG.lastIndex = 0;
  for (let match = TAG.exec(header); match !== null; match = TAG.exec(header)) {
    if (match[1] === opaque) return true;
  }
  return false;
}
