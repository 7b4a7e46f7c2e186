import { createContext, type ReactNode } from 'react';
import { createStore, type Store } from '../../../api/store.ts';
import { SIDE_PARTS, type SidePart } from './side-search.ts';

/** A part that the page offers at this moment. */
interface SideOffer {
  readonly title: string;
  readonly content: ReactNode;
}

export type SideOffers = Readonly<Partial<Record<SidePart, SideOffer>>>;

/** How often a person has asked for the panel, and for which part the last time. */
interface SideRequest {
  readonly count: number;
  readonly part: SidePart | null;
}

/** The panel of a page: its possible parts, and the last request. */
export interface Side {
  readonly offers: Store<SideOffers>;
  readonly requests: Store<SideRequest>;
}

/** The panel of the page; null outside of a page with one. */
export const SideContext = createContext<Side | null>(null);

export function createSide(): Side {
  return {
    offers: createStore<SideOffers>({}),
    requests: createStore<SideRequest>({ count: 0, part: null }),
  };
}

/** The part to show instead of one that is not offered: another one about the rows, if there is one. */
export function chooseOffered(wanted: SidePart, offers: SideOffers): SidePart | null {
  if (offers[wanted] !== undefined) return wanted;
  return SIDE_PARTS.find((part) => part !== 'sql' && offers[part] !== undefined) ?? null;
}
