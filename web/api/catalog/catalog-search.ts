import { readOneOf, readText } from '../address.ts';
import type { ItemType } from './catalog.ts';

/** What the page of an item shows, in the address. */
export interface CatalogSearch extends FolderSearch {
  /** The searched text; without it, the page shows the item. */
  readonly q?: string | undefined;
  /** Searches in contents instead of names. */
  readonly in?: 'content' | undefined;
  /** The shown part of an item; without it, its contents. */
  readonly view?: (typeof VIEWS)[number] | undefined;
  /** The version of a script that its history compares, from 1; without it, the last but one. */
  readonly version?: number | undefined;
  /** The run of a script whose results are shown below its text. */
  readonly run?: string | undefined;
  /** The line of a script to show, from 1. */
  readonly line?: number | undefined;
}

/** Which items of a folder are listed. */
export interface FolderSearch {
  /** A part of the name or the description. */
  readonly find?: string | undefined;
  readonly type?: ItemType | undefined;
  readonly sort?: (typeof ITEM_SORTS)[number] | undefined;
}

const VIEWS = ['properties', 'access', 'history'] as const;

/** The types of items that have a filter: those that people create. */
export const LISTED_TYPES = [
  'REGULAR_FOLDER',
  'PROJECT',
  'SQL_SCRIPT',
  'SERVICE_SCRIPT',
] as const satisfies readonly ItemType[];

/** The orders of the items of a folder, as the server knows them. */
export const ITEM_SORTS = [
  'name',
  '-name',
  'type',
  '-type',
  'updated_by',
  '-updated_by',
  'bytes',
  '-bytes',
  'updated_at',
  '-updated_at',
] as const;

/** Reads the search parameters of an address; ignores invalid ones. */
export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  return {
    q: readText(search.q),
    in: search.in === 'content' ? 'content' : undefined,
    view: readOneOf(VIEWS, search.view),
    version: readPositive(search.version),
    run: readRunId(search.run),
    line: readPositive(search.line),
    find: readText(search.find),
    type: readOneOf(LISTED_TYPES, search.type),
    sort: readOneOf(ITEM_SORTS, search.sort),
  };
}

function readPositive(value: unknown): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The id of a run in an address; ignores an invalid one. */
export function readRunId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f-]{36}$/.test(value) ? value : undefined;
}
