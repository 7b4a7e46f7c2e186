import { Marked, type Tokens } from 'marked';
import { resolveLink } from './links.ts';
import { findFileName, type Page } from './pages.ts';

/** Colours and weights of a terminal; each returns the text with its control sequences. */
export interface TextStyle {
  readonly heading: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
  readonly link: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** Prints a page for a terminal of `width` columns. */
export function printText(page: Page, style: TextStyle, width: number): string {
  let room = width;
  const narrow = (columns: number, print: () => string) => {
    room -= columns;
    try {
      return print();
    } finally {
      room += columns;
    }
  };
  const marked = new Marked({
    renderer: {
      space: () => '',
      html: () => '',
      hr: () => `${'─'.repeat(room)}\n\n`,
      code({ text, lang }) {
        const file = findFileName(lang);
        const caption = file === null ? '' : `${style.faint(`${file}:`)}\n`;
        return `${caption}${indent(mapLines(text, style.code), '    ')}\n\n`;
      },
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `${'#'.repeat(depth)} ${style.heading(text)}\n\n`;
      },
      paragraph({ tokens }) {
        return `${wrap(this.parser.parseInline(tokens), room)}\n\n`;
      },
      blockquote({ tokens }) {
        return `${indent(
          narrow(2, () => this.parser.parse(tokens).trimEnd()),
          '│ ',
        )}\n\n`;
      },
      list(token) {
        const items = token.items.map((item, at) => {
          const sign = printSign(token, at);
          const text = narrow(sign.length, () => this.parser.parse(item.tokens).trimEnd());
          return `${sign}${indent(text, ' '.repeat(sign.length)).trimStart()}`;
        });
        return `${items.join('\n')}\n\n`;
      },
      table({ header, rows }) {
        const read = (cells: typeof header) => cells.map(({ tokens }) => this.parser.parseInline(tokens));
        return `${layOutTable([read(header).map(style.strong), ...rows.map(read)], room)}\n\n`;
      },
      strong({ tokens }) {
        return mapWords(this.parser.parseInline(tokens), style.strong);
      },
      em({ tokens }) {
        return mapWords(this.parser.parseInline(tokens), style.strong);
      },
      // Without colours, back-ticks show what is code.
      codespan: ({ text }) => (style.code(text) === text ? `\`${text}\`` : mapWords(text, style.code)),
      br: () => '\n',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = printTarget(page.name, href);
        return `${mapWords(text, style.link)}${target === '' || text === target ? '' : style.faint(` (${target})`)}`;
      },
      image: ({ text }) => style.faint(`[image: ${text}]`),
      text(token) {
        const isBlock = 'tokens' in token && token.tokens !== undefined;
        return isBlock ? `${wrap(this.parser.parseInline(token.tokens ?? []), room)}\n` : token.text;
      },
    },
  });
  return `${marked.parse(page.text, { async: false }).trimEnd()}\n`;
}

function printSign({ ordered, start }: Tokens.List, at: number): string {
  return ordered ? `${Number(start) + at}. ` : '• ';
}

/** What a reader can open: the name of another page, or a web address; empty for a heading of this page. */
function printTarget(page: string, href: string): string {
  const target = resolveLink(page, href);
  if (target.kind === 'web') return target.url;
  if (target.kind === 'file') return target.file;
  return target.name === page ? '' : target.name;
}

const indent = (text: string, margin: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n');

const mapLines = (text: string, change: (line: string) => string) => text.split('\n').map(change).join('\n');
/** Each word has its own control sequences, so that lines can be broken between words. */
const mapWords = (text: string, change: (word: string) => string) => text.split(' ').map(change).join(' ');

/** Narrowest column of a table. */
const MIN_COLUMN = 8;
const GAP = 2;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colours of a terminal
const COLOUR = /\x1b\[[\d;]*m/g;

/** Columns of a text on a terminal, without its colours. */
function widthOf(text: string): number {
  return [...text.replaceAll(COLOUR, '')].length;
}

/** Breaks a text between words into lines of at most `width` columns; a longer word is a line. */
function wrap(text: string, width: number): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Rows in aligned columns; cells of wide columns are broken into lines. The first row is the header. */
function layOutTable(rows: readonly (readonly string[])[], width: number): string {
  const widths = fitColumns(rows, width);
  const [header = [], ...others] = rows.map((row) => printRow(row, widths));
  const rule = widths.map((columns) => '─'.repeat(columns)).join(' '.repeat(GAP));
  return [...header, rule, ...others.flat()].join('\n');
}

/** The widths of columns: as their cells need, or less in the widest ones. */
function fitColumns(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const room = width - GAP * (count - 1);
  for (let sum = total(widths); sum > room; sum -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_COLUMN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const total = (widths: readonly number[]) => widths.reduce((sum, columns) => sum + columns, 0);

function printRow(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = widths.map((columns, at) => wrap(row[at] ?? '', columns).split('\n'));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => {
        const text = lines[line] ?? '';
        return text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}
