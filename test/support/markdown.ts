/** A fenced block of a page: a file to write, or commands with the expected output. */
export type Example =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly line: number; readonly command: string; readonly output: string };

/**
 * The examples of a page, in order. A `console` block contains lines that begin with `$ ` and their output; a
 * block whose info string has a second word is a file of that name.
 */
export function findExamples(page: string): readonly Example[] {
  const examples: Example[] = [];
  let offset = 0;
  for (const part of page.split(/^(```[^\n]*\n[\s\S]*?^```)$/m)) {
    const line = page.slice(0, offset).split('\n').length;
    offset += part.length;
    const [, info = '', body = ''] = /^```([^\n]*)\n([\s\S]*?)```$/.exec(part) ?? [];
    const [language, name] = info.split(' ');
    if (language === 'console') examples.push(...findCommands(body, line + 1));
    else if (name) examples.push({ kind: 'file', name, text: body });
  }
  return examples;
}

function findCommands(body: string, firstLine: number): Example[] {
  const found: { kind: 'command'; line: number; command: string; output: string }[] = [];
  for (const [index, text] of body.replace(/\n$/, '').split('\n').entries()) {
    const last = found.at(-1);
    if (text.startsWith('$ ')) {
      found.push({ kind: 'command', line: firstLine + index, command: text.slice(2), output: '' });
    } else if (text.startsWith('> ') && last?.output === '') last.command += `\n${text.slice(2)}`;
    else if (last) last.output += `${text}\n`;
  }
  return found;
}

/** Whether an output matches the page; `…` matches any text, and alone on a line any lines. */
export function matchesOutput(printed: string, shown: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[^]*?' : line.trimEnd().split('…').map(escapePattern).join('.*?')))
    .join('\\n');
  const clean = printed
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
  return new RegExp(`^${pattern}$`).test(clean);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The anchor of a heading, which is the line with its `#`. */
export function toAnchor(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
