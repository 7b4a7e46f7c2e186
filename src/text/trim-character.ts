/** Removes all repetitions of a character from the end of a string, in linear time, unlike a regular expression. */
export function trimCharacter(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
