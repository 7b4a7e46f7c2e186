/** Whether an `If-Match` header names a tag, with or without quotes, in a list or by `*`; a weak tag names nothing. */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const tags = header.split(',').map((one) => one.trim());
  return tags.includes(tag) || tags.includes(`"${tag}"`);
}
