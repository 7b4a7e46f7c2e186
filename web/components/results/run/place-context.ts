import { createContext } from 'react';

/** A place in a source: `line` and `column` are counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Shows a place of a source in the catalog; null where places are links to the pages of the catalog. */
export const PlaceContext = createContext<((place: Place) => void) | null>(null);
