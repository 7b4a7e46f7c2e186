import { useEffect, useState } from 'react';
import type { ResultSource } from '../source/result-source.ts';
import { chooseRows, isEverything, type RowChoice } from './choose-rows.ts';
import { createPace } from './pace.ts';

/** The rows to show, in their order. */
export interface ShownRows {
  /** Null for all rows of the source in their own order. */
  readonly order: Uint32Array | null;
  readonly count: number;
  /** Whether a new order is being computed. */
  readonly isBusy: boolean;
}

interface Computed {
  readonly choice: RowChoice;
  readonly source: ResultSource;
  readonly order: Uint32Array;
}

/** Filters and sorts the rows of a source in the background; until this is done, the rows remain as they were. */
export function useRows(source: ResultSource, choice: RowChoice): ShownRows {
  const [computed, setComputed] = useState<Computed | null>(null);
  const isAll = isEverything(choice);
  useEffect(() => {
    if (isAll) {
      setComputed(null);
      return;
    }
    const stop = new AbortController();
    chooseRows(source, choice, createPace(stop.signal)).then(
      (order) => setComputed({ source, choice, order }),
      (error: unknown) => {
        if (!stop.signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [source, choice, isAll]);
  if (isAll || computed === null) return { order: null, count: source.rowCount, isBusy: !isAll };
  const isBusy = computed.source !== source || computed.choice !== choice;
  return { order: computed.order, count: computed.order.length, isBusy };
}

/** The row of the source at a place on the page. */
export function rowAt({ order }: ShownRows, place: number): number {
  return order === null ? place : (order[place] ?? 0);
}
