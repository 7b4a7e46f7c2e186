/** A text without a character at its end, however often it stands there; a regular expression would try each place. */
export function trimCharacter(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
