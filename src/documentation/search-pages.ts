import { setImmediate } from 'node:timers/promises';
import type { Page } from './pages.ts';
import { type Section, splitPage } from './sections.ts';

/** The limits of a search, so that it takes milliseconds. */
export const MAX_QUERY_LENGTH = 200;
export const MAX_WORDS = 10;
const MAX_HITS = 30;
/** Characters of an excerpt before and after the first match. */
const BEFORE = 60;
const AFTER = 140;

/** A part of an excerpt. */
interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A section that has every word of a query. */
export interface Hit extends Pick<Section, 'page' | 'title' | 'heading' | 'anchor'> {
  readonly excerpt: readonly Piece[];
}

/** Searches pages for a query; null if the query exceeds a limit. */
type Search = (query: string) => Promise<readonly Hit[] | null>;

/** Creates a search over pages. It reads them at the first query, one page at a time. */
export function createSearch(pages: readonly Page[]): Search {
  let sections: Promise<readonly Section[]> | undefined;
  return async (query) => {
    if (query.length > MAX_QUERY_LENGTH) return null;
    const words = [...new Set(query.split(/\s+/).filter(Boolean))];
    if (words.length > MAX_WORDS) return null;
    sections ??= splitAll(pages);
    return words.length === 0 ? [] : findHits(await sections, words);
  };
}

async function splitAll(pages: readonly Page[]): Promise<readonly Section[]> {
  const all: Section[] = [];
  for (const page of pages) {
    all.push(...splitPage(page));
    await setImmediate();
  }
  return all;
}

function findHits(sections: readonly Section[], words: readonly string[]): readonly Hit[] {
  const patterns = words.map((word) => new RegExp(escapePattern(word), 'iu'));
  const ranked = sections.flatMap((section) => {
    const score = rate(section, patterns);
    return score === 0 ? [] : [{ section, score }];
  });
  ranked.sort((one, other) => other.score - one.score);
  const any = new RegExp(words.map(escapePattern).join('|'), 'giu');
  return ranked.slice(0, MAX_HITS).map(({ section }) => toHit(section, any));
}

/** Higher for words in headings; 0 unless the section has every word. */
function rate({ title, heading, text }: Section, patterns: readonly RegExp[]): number {
  let score = 0;
  for (const pattern of patterns) {
    const points =
      Number(pattern.test(text)) + 4 * Number(pattern.test(heading)) + 2 * Number(pattern.test(title));
    if (points === 0) return 0;
    score += points;
  }
  return score;
}

function toHit({ page, title, heading, anchor, text }: Section, any: RegExp): Hit {
  const first = Math.max(0, text.search(any));
  const start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const last = first + AFTER >= text.length ? text.length : text.lastIndexOf(' ', first + AFTER);
  const end = last <= first ? Math.min(text.length, first + AFTER) : last;
  const shown = `${start === 0 ? '' : '… '}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  return { page, title, heading, anchor, excerpt: mark(shown, any) };
}

/** Splits a text into matches and what lies between them. */
function mark(text: string, any: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: match, index } of text.matchAll(any)) {
    if (index > at) pieces.push({ text: text.slice(at, index), isMatch: false });
    pieces.push({ text: match, isMatch: true });
    at = index + match.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
}
