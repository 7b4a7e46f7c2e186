/** Characters that change the writing direction of the text around them. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Shows characters that change the writing direction as `[U+202E]`: a text must not look like another one. */
export function showDirections(text: string): string {
  return text.replace(DIRECTIONS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`);
}
