import { keepOfText, readKeptTexts } from './editor/kept-per-text.ts';

/** Where a text was opened. */
type Place = 'catalog' | 'sql';

/** A text or a folder that was opened. */
interface Opened {
  readonly path: string;
  readonly place: Place;
}

const NAME = 'quern-opened/';
/** The number of items that are offered again. */
const MAX_OFFERED = 5;

/** What this browser opened last, the newest first. */
export function readOpened(user: string): readonly Opened[] {
  return readAll(user)
    .toReversed()
    .slice(0, MAX_OFFERED)
    .map(([path, place]) => ({ path, place }));
}

/** Notes the item of a page, if it is one of these pages and the item is below a namespace. */
export function noteOpened(user: string, place: string | undefined, path: string): void {
  if (isPlace(place) && path.startsWith('@') && path.includes('/'))
    keepOfText(NAME + user, readAll(user), path, place);
}

function readAll(user: string) {
  return readKeptTexts(NAME + user, isPlace);
}

function isPlace(value: unknown): value is Place {
  return value === 'catalog' || value === 'sql';
}
