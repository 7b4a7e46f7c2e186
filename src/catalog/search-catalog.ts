import { fieldErrors } from '../errors/fields.ts';
import type { Principal } from '../identity/principal/principal.ts';
import { elementAt } from '../invariants/must.ts';
import type { Database } from '../store/database.ts';
import { takeTurn } from '../turns/take-turn.ts';
import { toFolderBody } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { searchTextInvalid, searchTextRequired } from './errors.ts';
import { findVisibleById } from './find-item.ts';
import type { FolderBody, FoundBody, FoundListBody } from './item-body.ts';
import { printPath } from './path.ts';

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
interface Search {
  readonly text: string;
  readonly in: 'name' | 'content';
  readonly limit: number;
}

/** Maximum UTF-16 units of the text. */
const MAX_SEARCH_TEXT = 200;
const MAX_FOUND = 200;
const DEFAULT_FOUND = 50;

/** Checks a search. Throws 400. */
function checkSearch({ name, content, limit = DEFAULT_FOUND }: SearchRequest): Search {
  const text = name || content;
  if (!text || (name && content)) throw searchTextRequired();
  if (text.length > MAX_SEARCH_TEXT || !text.isWellFormed() || /\p{Cc}/u.test(text))
    throw searchTextInvalid(MAX_SEARCH_TEXT);
  if (limit < 1 || limit > MAX_FOUND) throw fieldErrors.limitOutOfRange(MAX_FOUND);
  return { text, in: name ? 'name' : 'content', limit };
}

/** The number of names per step. */
const NAMES_AT_ONCE = 1_000;
/** The time to search contents per step, in milliseconds. */
const PIECE_MS = 5;
/** The number of matching names that ends a search; the best of them are returned. */
const MAX_CANDIDATES = 2_000;
const MAX_EXCERPT = 200;
/** UTF-16 units before the match in a cut line. */
const BEFORE_MATCH = 60;

/** The first match in a content. */
interface Match {
  readonly line: number;
  readonly excerpt: string;
}

/**
 * Searches the names or contents of the items that the caller may view, without regard to case. Rejects with 400. It
 * reads the whole catalog in steps, between which other requests run; an item that changes during the search may be
 * missing.
 */
export async function searchCatalog(
  context: CatalogContext,
  principal: Principal,
  request: SearchRequest,
): Promise<FoundListBody> {
  const search = checkSearch(request);
  const store = createSearchStore(context.database);
  const find = search.in === 'name' ? searchNames : searchContents;
  return find(context, principal, search, store);
}

async function searchNames(
  context: CatalogContext,
  principal: Principal,
  { text, limit }: Search,
  store: SearchStore,
): Promise<FoundListBody> {
  const wanted = text.toLowerCase();
  const candidates: FoundBody[] = [];
  for (let last = ''; candidates.length < MAX_CANDIDATES; ) {
    await takeTurn();
    const names = context.database.read(() => {
      const some = store.listNames(last, NAMES_AT_ONCE);
      for (const { id, name } of some) {
        if (name.toLowerCase().includes(wanted)) candidates.push(...describe(context, principal, id));
      }
      return some;
    });
    if (names.length < NAMES_AT_ONCE) break;
    last = elementAt(names, -1).id;
  }
  candidates.sort(
    (one, other) => rank(one, wanted) - rank(other, wanted) || (one.path < other.path ? -1 : 1),
  );
  return { data: candidates.slice(0, limit), is_complete: candidates.length <= limit };
}

/** An exact name before one that starts with the text, and that before others. */
function rank({ name }: FoundBody, wanted: string): number {
  const at = name.toLowerCase().indexOf(wanted);
  if (at > 0) return 2;
  return name.length === wanted.length ? 0 : 1;
}

async function searchContents(
  context: CatalogContext,
  principal: Principal,
  { text, limit }: Search,
  store: SearchStore,
): Promise<FoundListBody> {
  const matches: FoundBody[] = [];
  const pattern = toPattern(text);
  const add = (id: string, match: Match) => {
    matches.push(...describe(context, principal, id).map((body) => ({ ...body, ...match })));
  };
  for (let position: number | undefined = 0; position !== undefined && matches.length <= limit; ) {
    await takeTurn();
    const from: number = position;
    position = context.database.read(() => searchShort(store, from, pattern, add));
  }
  for (const id of context.database.read(() => store.listLongIds())) {
    if (matches.length > limit) break;
    const match = await searchLong(context, id, pattern, store);
    if (match !== null) context.database.read(() => add(id, match));
  }
  return { data: matches.slice(0, limit), is_complete: matches.length <= limit };
}

/** Searches short contents for some milliseconds; returns where to continue, undefined at the end. */
function searchShort(
  store: SearchStore,
  from: number,
  pattern: RegExp,
  add: (id: string, match: Match) => void,
): number | undefined {
  const end = performance.now() + PIECE_MS;
  let position = from;
  do {
    const next = store.nextShort(position);
    if (next === undefined) return undefined;
    position = next.position;
    const at = next.content.search(pattern);
    if (at >= 0) add(next.id, toMatch(next.content, at, 0));
  } while (performance.now() < end);
  return position;
}

/** Searches a long content part by part; a match may start in one part and end in the next. */
async function searchLong(
  { database }: CatalogContext,
  id: string,
  pattern: RegExp,
  store: SearchStore,
): Promise<Match | null> {
  const decoder = new TextDecoder();
  let overlap = '';
  let lines = 0;
  for (let part = 0; ; part += 1) {
    await takeTurn();
    const bytes = database.read(() => store.findPart(id, part));
    if (bytes === undefined) return null;
    const text = overlap + decoder.decode(bytes, { stream: true });
    const at = text.search(pattern);
    if (at >= 0) return toMatch(text, at, lines);
    // A match contains no line end.
    const end = Math.max(text.lastIndexOf('\n') + 1, text.length - 2 * MAX_EXCERPT);
    lines += countLines(text, end);
    overlap = text.slice(end);
  }
}

/** A found item in the form of responses; undefined if the caller may not view it. */
function describe(context: CatalogContext, principal: Principal, id: string): FolderBody[] {
  const place = findVisibleById(context, principal, id);
  return place === null ? [] : [toFolderBody(place.item, printPath(place.path))];
}

function toPattern(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

function toMatch(text: string, at: number, linesBefore: number): Match {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const next = text.indexOf('\n', at);
  const line = text.slice(start, next < 0 ? text.length : next).trimEnd();
  const from = line.length <= MAX_EXCERPT ? 0 : Math.max(0, at - start - BEFORE_MATCH);
  const excerpt = line.slice(from, from + MAX_EXCERPT).toWellFormed();
  return { line: linesBefore + countLines(text, start) + 1, excerpt };
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The fields of an item that a search by name reads. */
interface NamedItem {
  readonly id: string;
  readonly name: string;
}

/** A short content; `position` orders them. */
interface ShortContent {
  readonly position: number;
  readonly id: string;
  readonly content: string;
}

/** Rows for searches, which read the whole catalog in small pieces. Callers hold the transaction. */
interface SearchStore {
  /** Items without the roots, by id, after `afterId`; at most `limit`. */
  listNames(afterId: string, limit: number): NamedItem[];
  /** The next short content after a position; 0 for the first. */
  nextShort(afterPosition: number): ShortContent | undefined;
  /** The items with a long content, by id. */
  listLongIds(): string[];
  findPart(itemId: string, part: number): Buffer | undefined;
}

/** The rows of an open database. */
function createSearchStore(database: Database): SearchStore {
  const names = database.statement<NamedItem>(`
    SELECT id, name FROM catalog_items WHERE id > ? AND parent_id IS NOT NULL ORDER BY id LIMIT ?
  `);
  const short = database.statement<ShortContent>(`
    SELECT rowid AS position, item_id AS id, content FROM catalog_contents WHERE rowid > ? ORDER BY rowid LIMIT 1
  `);
  const long = database.statement<{ item_id: string }>(
    'SELECT item_id FROM catalog_long_contents WHERE item_id IS NOT NULL ORDER BY item_id',
  );
  const part = database.statement<{ bytes: Buffer }>(`
    SELECT part.bytes FROM catalog_long_contents AS long JOIN catalog_content_parts AS part ON content_id = long.id
    WHERE item_id = ? AND part = ?
  `);
  return {
    listNames: (afterId, limit) => names.all(afterId, limit),
    nextShort: (afterPosition) => short.get(afterPosition),
    listLongIds: () => long.all().map((row) => row.item_id),
    findPart: (itemId, at) => part.get(itemId, at)?.bytes,
  };
}
