/** The parts of a valid JSON text: strings, brackets, separators, and other values. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The maximum levels of indentation: a text of a million brackets must not need a million spaces in each line. */
const MAX_INDENT = 40;

/** Lays out a JSON text in lines, with its numbers and strings unchanged; null if it is not valid. */
export function layOutJson(text: string): string | null {
  if (!isJson(text)) return null;
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    const isEmpty = isClosing && isOpening(before);
    const breaks = isClosing || before === ',' || isOpening(before);
    if (breaks && !isEmpty) parts.push(`\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`);
    parts.push(token === ':' ? ': ' : token);
    if (isOpening(token)) depth += 1;
    before = token;
  }
  return parts.join('');
}

function isOpening(token: string): boolean {
  return token === '{' || token === '[';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
