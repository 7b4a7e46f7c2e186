/** Converts a name to the form in which names are compared: composed, and in lower case in any locale. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
