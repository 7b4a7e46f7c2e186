/** An underscore inside a word has no special meaning in Markdown. */
const MARKS = /[\\|`*<[]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** A text as a cell of a table in Markdown: characters that would end the cell or the line are escaped. */
export function toMarkdownCell(text: string): string {
  return text.replace(MARKS, '\\$&').replace(/\r\n|\r|\n/g, '<br>');
}
