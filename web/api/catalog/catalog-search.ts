/** What the page of an item shows, in the address. */
export interface CatalogSearch {
  /** The searched text; without it, the page shows the item. */
  readonly q?: string | undefined;
  /** Searches in contents instead of names. */
  readonly in?: 'content' | undefined;
  /** The shown part of an item; without it, its contents. */
  readonly view?: ItemView | undefined;
  /** The line of a script to show, from 1. */
  readonly line?: number | undefined;
}

const VIEWS = ['properties', 'access', 'history'] as const;

type ItemView = (typeof VIEWS)[number];

/** Reads the search parameters of an address; ignores invalid ones. */
export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const text = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : '';
  const line = Number(search.line ?? Number.NaN);
  return {
    q: text === '' ? undefined : text,
    in: search.in === 'content' ? 'content' : undefined,
    view: VIEWS.find((view) => view === search.view),
    line: Number.isSafeInteger(line) && line > 0 ? line : undefined,
  };
}
