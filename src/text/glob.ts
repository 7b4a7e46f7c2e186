/** Compiles a pattern in which each `*` matches any string. Matching takes linear time in pattern and string. */
export function createGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      // The first match is always sufficient: it leaves the most room for the remaining parts.
      const index = text.indexOf(part, at);
      if (index === -1) return false;
      at = index + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}
