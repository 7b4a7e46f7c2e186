import { Marked, type Token } from 'marked';
import { createAnchors } from './links.ts';
import type { Page } from './pages.ts';

/** A heading with the text up to the next one, without markup. */
export interface Section {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

const plain = new Marked({
  renderer: {
    space: () => ' ',
    code: ({ text }) => `${text}\n`,
    blockquote({ tokens }) {
      return this.parser.parse(tokens);
    },
    html: () => '',
    heading({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    hr: () => ' ',
    list({ items }) {
      return items.map(({ tokens }) => `${this.parser.parse(tokens)} `).join('');
    },
    paragraph({ tokens }) {
      return `${this.parser.parseInline(tokens)}\n`;
    },
    table({ header, rows }) {
      const cells = [header, ...rows].flat();
      return cells.map(({ tokens }) => `${this.parser.parseInline(tokens)} `).join('');
    },
    strong({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    em({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    codespan: ({ text }) => text,
    br: () => ' ',
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
    image: ({ text }) => text,
    text(token) {
      return 'tokens' in token && token.tokens !== undefined
        ? this.parser.parseInline(token.tokens)
        : token.text;
    },
  },
});

/** Splits a page at its headings. */
export function splitPage({ name, title, text }: Page): readonly Section[] {
  const toAnchor = createAnchors();
  const sections: Section[] = [];
  let heading = title;
  let anchor = '';
  let tokens: Token[] = [];
  const end = () => {
    const printed = plain.parser(tokens).replaceAll(/\s+/g, ' ').trim();
    if (printed !== '') sections.push({ page: name, title, heading, anchor, text: printed });
    tokens = [];
  };
  for (const token of plain.lexer(text)) {
    if (token.type !== 'heading') {
      tokens.push(token);
      continue;
    }
    end();
    heading = plain.parser([token]);
    anchor = toAnchor(heading);
  }
  end();
  return sections;
}
