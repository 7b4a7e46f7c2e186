/** Characters that XML cannot contain, and CR, which readers of XML turn into LF. */
const CONTROLS = '[\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff]|\\p{Surrogate}';
/** Every character that is written in another way; `_` only before what a reader would take for an escape. */
const SPECIAL = new RegExp(`[&<>]|${CONTROLS}|_(?=x[\\da-f]{4}(?:_|${CONTROLS}))`, 'giu');
const MAY_BE_SPECIAL = /[&<>_\p{Cc}\p{Cs}\ufffe\uffff]/u;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A text in XML. Characters that XML cannot contain are `_x0001_`, and so is the `_` of a text that looks like that
 * (ISO/IEC 29500-1, 22.9.2.19).
 */
export function toXmlText(text: string): string {
  if (!MAY_BE_SPECIAL.test(text)) return text;
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? toEscape(character));
}

function toEscape(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
