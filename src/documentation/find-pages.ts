import { INDEX, type Page } from './pages.ts';

/**
 * The pages that words name: by the name, else by the last part of the name, else all pages whose name or title
 * contains every word.
 */
export function findPages(pages: readonly Page[], words: readonly string[]): readonly Page[] {
  const wanted = words
    .join(' ')
    .replace(/\.md$/, '')
    .replace(/^docs\//, '');
  const exact = pages.filter(({ name }) => name === wanted);
  if (exact.length > 0) return exact;
  const named = pages.filter(({ name }) => lastPart(name) === wanted);
  return named.length > 0 ? named : findByWords(pages, wanted);
}

function findByWords(pages: readonly Page[], wanted: string): readonly Page[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.filter(({ name, title }) => {
    const text = `${name} ${title}`.toLowerCase();
    return words.length > 0 && name !== INDEX && words.every((word) => text.includes(word));
  });
}

/** The names that a reader may type. */
export function listPageNames(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ name }) => [name, lastPart(name)]);
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('/') + 1);
