import { fieldErrors } from '../errors/fields.ts';
import { searchTextInvalid, searchTextRequired } from './errors.ts';

/** A search request, either for names or for contents. */
export interface SearchRequest {
  /** Matched anywhere in names. */
  readonly name?: string | undefined;
  /** Matched anywhere in a line of a content. */
  readonly content?: string | undefined;
  /** Maximum number of found items; defaults to 50. */
  readonly limit?: number | undefined;
}

/** A checked search. */
export interface Search {
  readonly text: string;
  readonly in: 'name' | 'content';
  readonly limit: number;
}

/** Maximum UTF-16 units of the text. */
const MAX_SEARCH_TEXT = 200;
const MAX_FOUND = 200;
const DEFAULT_FOUND = 50;

/** Checks a search. Throws 400. */
export function checkSearch({ name, content, limit = DEFAULT_FOUND }: SearchRequest): Search {
  const text = name || content;
  if (!text || (name && content)) throw searchTextRequired();
  if (text.length > MAX_SEARCH_TEXT || !text.isWellFormed() || /\p{Cc}/u.test(text))
    throw searchTextInvalid(MAX_SEARCH_TEXT);
  if (limit < 1 || limit > MAX_FOUND) throw fieldErrors.limitOutOfRange(MAX_FOUND);
  return { text, in: name ? 'name' : 'content', limit };
}
