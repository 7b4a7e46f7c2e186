/** A table of Markdown; outside code, `<` does not begin a tag. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const printRow = (cells: readonly string[]) => `| ${cells.map(printCell).join(' | ')} |`;
  return [printRow(head), `|${'---|'.repeat(head.length)}`, ...rows.map(printRow)].join('\n');
}

function printCell(text: string): string {
  return text
    .replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? String.raw`\<` : found))
    .replaceAll('|', String.raw`\|`);
}
