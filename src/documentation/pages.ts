import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A page of the documentation. */
export interface Page {
  /** The path below the folder of the documentation without `.md`, with slashes: `guides/backups`. */
  readonly name: string;
  readonly title: string;
  /** The Markdown text. */
  readonly text: string;
}

/** The name of the page that lists all others. */
export const INDEX = 'README';

/** The parts of the documentation, in the order of the index. */
const PARTS = ['', 'tutorial', 'guides', 'concepts', 'reference'];

/** Reads the pages below a folder, part by part; empty if the folder does not exist. */
export function readPages(folder: string): readonly Page[] {
  const names = globSync('**/*.md', { cwd: folder })
    .map((file) => file.replaceAll(path.sep, '/').replace(/\.md$/, ''))
    .sort();
  const pageNames = PARTS.flatMap((part) => names.filter((name) => partOf(name) === part));
  return pageNames.map((name) => readPage(name, readFileSync(path.join(folder, `${name}.md`), 'utf8')));
}

/** The folder of a page; empty for the index. */
export function partOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
}

function readPage(name: string, text: string): Page {
  const [, title = name] = /^# (.*)$/m.exec(text) ?? [];
  return { name, title: title.replaceAll('`', ''), text };
}

/** The name of the file that a fenced block contains: the second word after the fence. Null for other blocks. */
export function findFileName(info: string | undefined): string | null {
  return info?.split(' ')[1] ?? null;
}
