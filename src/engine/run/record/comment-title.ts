/** The characters before a statement that are searched for its comment. */
const MAX_SEARCHED = 2_000;
/** Maximum characters of a title. */
const MAX_TITLE = 80;

/**
 * What the comment directly before the statement at an offset of a source says first; null without one. Lines that
 * describe parameters say nothing about the statement.
 */
export function findCommentTitle(source: string, at: number): string | null {
  const start = Math.max(0, at - MAX_SEARCHED);
  const before = source.slice(start, at);
  const lines = readBlockComment(before) ?? readLineComments(before, start > 0);
  const title = lines
    .map((line) => line.replace(/^[\s=*#-]+/, '').trimEnd())
    .find((line) => line !== '' && !line.startsWith('$'));
  if (title === undefined) return null;
  const characters = [...title];
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('')}…` : title;
}

/** The lines of a block comment at the end of a text; null if it ends with something else. */
function readBlockComment(before: string): readonly string[] | null {
  const text = before.trimEnd();
  const gap = before.slice(text.length);
  const start = text.lastIndexOf('/*');
  if (!text.endsWith('*/') || start < 0 || gap.split('\n').length > 2) return null;
  // A comment after another statement belongs to that one.
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return gap.includes('\n') && indent.trim() !== '' ? null : text.slice(start + 2, -2).split('\n');
}

/** The lines of comments at the end of a text, without an empty line after them; `isCut`: the first line is a part. */
function readLineComments(before: string, isCut: boolean): readonly string[] {
  const lines = before.split('\n').slice(isCut ? 1 : 0);
  if (lines.pop()?.trim() !== '') return [];
  const first = lines.findLastIndex((line) => !line.trimStart().startsWith('--')) + 1;
  return lines.slice(first).map((line) => line.trim().slice(2));
}
