import { findPages, listPageNames } from '../../documentation/find-pages.ts';
import { INDEX, type Page, readPages } from '../../documentation/pages.ts';
import { printText } from '../../documentation/print-text.ts';
import { createSearch, type Hit, MAX_QUERY_LENGTH, MAX_WORDS } from '../../documentation/search-pages.ts';
import { suggest } from '../../text/suggest.ts';
import { DOCUMENTATION_FOLDER } from '../../workspace/home/package-root.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { coloursOf } from '../terminal/colours.ts';
import { findPager, openPager } from '../terminal/pager.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** The widest text that people read with ease. */
const MAX_WIDTH = 100;

/** `quern docs`: shows a page, lists the pages, or searches them. Piped output of a page is its Markdown text. */
export const run: RunCommand<'docs'> = async (context, { args, options }) => {
  const pages = readPages(DOCUMENTATION_FOLDER);
  if (options.search !== undefined) {
    if (args.length > 0) throw new UsageError('`--search` searches all pages; leave out the page');
    return search(context, pages, options.search);
  }
  if (args.length === 0) {
    const rows = pages.filter(({ name }) => name !== INDEX).map(({ name, title }) => [name, title]);
    return show(context, printAligned(rows), options.pager);
  }
  const page = findPage(pages, args);
  return show(context, context.stdout.isTerminal ? format(context, page) : page.text, options.pager);
};

/** The only page that words name. */
function findPage(pages: readonly Page[], words: readonly string[]): Page {
  const [page, ...others] = findPages(pages, words);
  const wanted = words.join(' ');
  if (page === undefined) throw notFound(pages, wanted);
  if (others.length === 0) return page;
  const names = [page, ...others].map(({ name }) => `\`${name}\``).join(', ');
  throw new UsageError(`\`${wanted}\` names several pages: ${names}`, EXIT.failed);
}

function notFound(pages: readonly Page[], wanted: string): UsageError {
  const near = suggest(wanted, listPageNames(pages));
  const advice =
    near === undefined
      ? '`quern docs` lists all pages, and `quern docs --search WORDS` searches them'
      : `did you mean \`${near}\`?`;
  return new UsageError(`there is no page \`${wanted}\``, EXIT.failed, advice);
}

function format(context: CliContext, page: Page): string {
  const { stdout } = context;
  const colours = coloursOf(context, stdout);
  const style = {
    heading: (text: string) => colours.bold(text),
    strong: (text: string) => colours.bold(text),
    code: (text: string) => colours.cyan(text),
    link: (text: string) => colours.underline(text),
    faint: (text: string) => colours.dim(text),
  };
  return printText(page, style, Math.min(stdout.width, MAX_WIDTH));
}

async function show(context: CliContext, text: string, isPaged: boolean): Promise<ExitCode> {
  const command = isPaged ? findPager(context) : null;
  if (command === null) {
    await context.stdout.write(text);
    return EXIT.done;
  }
  const pager = openPager(command, context);
  await pager.write(Buffer.from(text));
  await pager.end();
  return EXIT.done;
}

async function search(context: CliContext, pages: readonly Page[], query: string): Promise<ExitCode> {
  if (query.trim() === '') throw new UsageError('`--search` needs a word');
  const hits = await createSearch(pages)(query);
  if (hits === null) {
    throw new UsageError(`a search has at most ${MAX_WORDS} words and ${MAX_QUERY_LENGTH} characters`);
  }
  if (hits.length === 0) throw new UsageError(`no page contains \`${query}\``, EXIT.failed);
  await context.stdout.write(hits.map((hit) => printHit(context, hit)).join('\n'));
  return EXIT.done;
}

/** The page and the heading, and below them the excerpt with its matches in bold. */
function printHit(context: CliContext, { page, title, heading, excerpt }: Hit): string {
  const colours = coloursOf(context, context.stdout);
  const fullHeading = heading === title ? title : `${title}: ${heading}`;
  const text = excerpt.map((piece) => (piece.isMatch ? colours.bold(piece.text) : piece.text)).join('');
  return `${colours.cyan(page)}  ${fullHeading}\n    ${text}\n`;
}
