import { Marked } from 'marked';
import { escapeHtml } from '../text/escape-html.ts';
import { createAnchors, resolveLink } from './links.ts';
import { findFileName, INDEX, type Page } from './pages.ts';

/** What pages of a website link to. */
export interface Site {
  /** The path of the index, without a slash at the end; other pages are below it. */
  readonly prefix: string;
  readonly hasPage: (name: string) => boolean;
  /** Whether the folder of the documentation has this image: `images/console.png`. */
  readonly hasImage: (file: string) => boolean;
}

/** Prints the body of a page as HTML. HTML in the Markdown text is escaped, and comments are dropped. */
export function printHtml(page: Page, site: Site): string {
  const toAnchor = createAnchors();
  let tables = 0;
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      heading({ tokens, depth, text }) {
        const id = toAnchor(text.replaceAll('`', ''));
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }) {
        const file = findFileName(lang);
        const caption = file === null ? '' : `<p class="file">${escapeHtml(file)}</p>\n`;
        return `${caption}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
      link({ href, tokens }) {
        const address = toAddress(page.name, href, site);
        const shown = this.parser.parseInline(tokens);
        return address === null ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
      },
      image({ href, text }) {
        const target = resolveLink(page.name, href);
        if (target.kind !== 'file' || !site.hasImage(target.file)) return escapeHtml(text);
        return `<img src="${escapeHtml(`${site.prefix}/${target.file}`)}" alt="${escapeHtml(text)}">`;
      },
      table({ header, rows }) {
        tables += 1;
        const printRow = (cells: typeof header, tag: 'th' | 'td') =>
          `<tr>${cells.map(({ tokens }) => printCell(tag, this.parser.parseInline(tokens))).join('')}</tr>\n`;
        const body = rows.map((cells) => printRow(cells, 'td')).join('');
        return `<div class="table" role="region" aria-label="Table ${tables}" tabindex="0"><table>\n<thead>${printRow(header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(page.text, { async: false });
}

/** A header cell without text would be read as an empty heading. */
function printCell(tag: 'th' | 'td', content: string): string {
  if (tag === 'th') return content === '' ? '<td></td>' : `<th scope="col">${content}</th>`;
  return `<td>${content}</td>`;
}

/** The address of a link; null if the site has nothing there. */
function toAddress(page: string, href: string, { prefix, hasPage }: Site): string | null {
  const target = resolveLink(page, href);
  if (target.kind === 'web') return target.url;
  if (target.kind === 'file' || !hasPage(target.name)) return null;
  const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
  return `${toPagePath(prefix, target.name)}${anchor}`;
}

/** The path of a page. */
export function toPagePath(prefix: string, name: string): string {
  return name === INDEX ? prefix : `${prefix}/${name}`;
}
