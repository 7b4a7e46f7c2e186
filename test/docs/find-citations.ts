import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toAnchor } from '../support/markdown.ts';

const root = path.resolve(import.meta.dirname, '../..');

const TEXT = /\.(?:[cm]?[jt]sx?|css|html|json|md|sh|sql|toml|ya?ml)$/;

/** The beginning of a line of a comment that continues the line before it. */
const CONTINUATION = /\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]*/g;

/** A page of the documentation, and the anchor of one of its headings. */
const CITATION = /\bdocs\/[\w-]+\/[\w./-]+\.md(?:#[\w-]+)?/g;

/** A word and the number of a section of a document outside the repository; a number with a unit is an amount. */
const NUMBERED =
  /\b(?:interface|identity|language|catalog|semantic(?: sql)?|results|engines|design|console|remote)(?: sections?| §)? \d{1,2}(?:\.\d+)*\b(?! ?(?:%|×|[KMG]B\b|ms\b|s\b|times\b))/gi;

/** A text file of the repository; `path` is relative to its root. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The text files in the folders, without those of installed packages and build results. */
export function readTextFiles(folders: readonly string[]): readonly TextFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && TEXT.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !/\/(?:node_modules|dist)\//.test(file))
      .map((file) => ({ path: path.relative(root, file), text: readFileSync(file, 'utf8') })),
  );
}

/** The citations of pages and headings that do not exist, as `file: citation`. */
export function findBrokenCitations({ path: file, text }: TextFile): readonly string[] {
  const cited = joinLines(text).matchAll(CITATION);
  return [...cited].flatMap(([citation]) => (isFound(citation) ? [] : [`${file}: ${citation}`]));
}

/** The citations by the number of a section, as `file: citation`. */
export function findNumberedCitations({ path: file, text }: TextFile): readonly string[] {
  return [...joinLines(text).matchAll(NUMBERED)].map(([citation]) => `${file}: ${citation}`);
}

function joinLines(text: string): string {
  return text.replaceAll(CONTINUATION, ' ');
}

function isFound(citation: string): boolean {
  const [page = '', anchor] = citation.split('#');
  const anchors = readAnchors(page);
  return anchors !== undefined && (anchor === undefined || anchors.includes(anchor));
}

/** The anchors of a page; undefined if the page does not exist. */
function readAnchors(page: string): readonly string[] | undefined {
  try {
    const text = readFileSync(path.join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
    return (text.match(/^#+ .*$/gm) ?? []).map(toAnchor);
  } catch {
    return undefined;
  }
}
