/** The form in which names are compared: composed, and in lower case whatever the locale. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
