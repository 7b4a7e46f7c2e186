import { INDEX, type Page, partOf } from '../../documentation/pages.ts';
import { printHtml, type Site, toPagePath } from '../../documentation/print-html.ts';
import { type Hit, MAX_QUERY_LENGTH, MAX_WORDS } from '../../documentation/search-pages.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** The path of the index; all other pages are below it. */
export const PREFIX = '/docs';

const PART_TITLES: Readonly<Record<string, string>> = {
  tutorial: 'Tutorial',
  guides: 'Guides',
  concepts: 'Concepts',
  reference: 'Reference',
};

/** What a page shows around its content. */
interface Frame {
  readonly pages: readonly Page[];
  readonly title: string;
  /** The name of the page; null if it is not a page of the documentation. */
  readonly name: string | null;
  readonly query?: string;
}

/** Prints a page of the documentation. */
export function printPage(page: Page, pages: readonly Page[], site: Site): string {
  return printFrame({ pages, title: page.title, name: page.name }, printHtml(page, site));
}

/** Prints the results of a search; null hits: the query exceeds a limit. */
export function printResults(query: string, hits: readonly Hit[] | null, pages: readonly Page[]): string {
  const content = `<h1>Search</h1>\n${printCount(query, hits)}\n${printHits(hits ?? [])}`;
  return printFrame({ pages, title: 'Search', name: null, query: query.slice(0, MAX_QUERY_LENGTH) }, content);
}

/** Prints that a page does not exist, with the title of a similar one. */
export function printNotFound(near: Page | undefined, pages: readonly Page[]): string {
  const hint = near === undefined ? '' : ` Did you mean ${printLink(near)}?`;
  const content = `<h1>Page not found</h1>\n<p>The documentation has no such page.${hint} Search it, or see the <a href="${PREFIX}">index</a>.</p>`;
  return printFrame({ pages, title: 'Page not found', name: null }, content);
}

function printCount(query: string, hits: readonly Hit[] | null): string {
  if (hits === null) {
    return `<p role="status">A search has at most ${MAX_WORDS} words and ${MAX_QUERY_LENGTH} characters.</p>`;
  }
  if (query.trim() === '') return '<p>Type the words that a section must contain.</p>';
  const subject = hits.length === 1 ? '1 section contains' : `${hits.length || 'No'} sections contain`;
  return `<p role="status">${subject} <strong>${escapeHtml(query)}</strong>.</p>`;
}

function printHits(hits: readonly Hit[]): string {
  const items = hits.map(({ page, title, heading, anchor, excerpt }) => {
    const href = `${toPagePath(PREFIX, page)}${anchor === '' ? '' : `#${anchor}`}`;
    const text = excerpt.map((piece) =>
      piece.isMatch ? `<mark>${escapeHtml(piece.text)}</mark>` : escapeHtml(piece.text),
    );
    const pageTitle = heading === title ? '' : `<p class="place">${escapeHtml(title)}</p>`;
    return `<li><h2><a href="${escapeHtml(href)}">${escapeHtml(heading)}</a></h2>${pageTitle}<p>${text.join('')}</p></li>`;
  });
  return items.length === 0 ? '' : `<ol class="hits">\n${items.join('\n')}\n</ol>`;
}

function printFrame({ pages, title, name, query = '' }: Frame, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Quern documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PREFIX}/style.css">
</head>
<body>
<header>
<a class="brand" href="${PREFIX}">Quern documentation</a>
<form role="search" action="${PREFIX}/search">
<label class="hidden" for="q">Words to search for</label>
<input id="q" name="q" type="search" maxlength="${MAX_QUERY_LENGTH}" required value="${escapeHtml(query)}">
<button>Search</button>
</form>
<a href="#pages">All pages</a>
<a href="/">Console</a>
</header>
<div class="columns">
<main>
${content}
</main>
<nav id="pages" aria-label="Pages">
${Object.entries(PART_TITLES)
  .map(([part, partTitle]) =>
    printPart(
      partTitle,
      pages.filter((page) => partOf(page.name) === part),
      name,
    ),
  )
  .join('\n')}
</nav>
</div>
</body>
</html>
`;
}

function printPart(title: string, pages: readonly Page[], current: string | null): string {
  if (pages.length === 0) return '';
  const items = pages.map((page) => `<li>${printLink(page, page.name === current)}</li>`).join('\n');
  return `<h2>${title}</h2>\n<ul>\n${items}\n</ul>`;
}

function printLink({ name, title }: Page, isCurrent = false): string {
  const current = isCurrent ? ' aria-current="page"' : '';
  return `<a href="${escapeHtml(toPagePath(PREFIX, name))}"${current}>${escapeHtml(name === INDEX ? 'the index' : title)}</a>`;
}
