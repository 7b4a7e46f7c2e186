import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toAnchor } from './markdown.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The pages of the documentation, and the page of the package, relative to the project. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .sort(),
];

/** Parts of the pages, whose examples run side by side; the first pattern that matches a page gives its part. */
const PARTS = {
  http: /^docs\/(?:guides|reference)\/(?:deploy|exec|http|saml|scim|server)/,
  semantic: /^docs\/(?:guides|reference)\/semantic/,
  guides: /^docs\/guides\//,
  reference: /^docs\/reference\//,
  tutorial: /^docs\/tutorial\//,
  others: /^/,
} as const;

export type PagesPart = keyof typeof PARTS;

/** The part of a page. */
export function findPart(page: string): PagesPart {
  return (Object.keys(PARTS) as PagesPart[]).find((part) => PARTS[part].test(page))!;
}

/** The text of a page. */
export function readPage(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

/** A page without its fenced blocks. */
function withoutFences(text: string): string {
  return text.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** The number of words that people write and read: outside fenced blocks and generated parts. */
export function countWords(text: string): number {
  const prose = withoutFences(text).replaceAll(/<!-- generated[\s\S]*?<!-- end -->/g, '');
  return prose.match(/[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;
}

/** The first paragraph after the title, on one line. */
export function readFirstParagraph(text: string): string {
  const [, paragraph = ''] = /^# .*\n+([\s\S]*?)(?:\n\n|\n*$)/.exec(text) ?? [];
  return paragraph.replaceAll('\n', ' ');
}

/** The targets of links and images, which are neither in fenced blocks nor in code. */
export function findLinks(text: string): readonly string[] {
  const prose = withoutFences(text).replaceAll(/`[^`\n]+`/g, 'code');
  const found = prose.matchAll(
    /\]\((?<inline>[^)\s]+)(?: "[^"]*")?\)|^\[[^\]]+\]: (?<defined>\S+)|<(?:img|a)\b[^>]*\b(?:src|href)="(?<html>[^"]+)"/gm,
  );
  return [...found].flatMap(({ groups }) => groups?.inline ?? groups?.defined ?? groups?.html ?? []);
}

/** The anchors of a page. */
export function listAnchors(text: string): readonly string[] {
  return (withoutFences(text).match(/^#+ .*$/gm) ?? []).map(toAnchor);
}
