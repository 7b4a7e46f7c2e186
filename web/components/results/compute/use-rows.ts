import { useEffect, useState } from 'react';
import type { ResultSource } from '../source/result-source.ts';
import { isEverything, type RowChoice } from './choose-rows.ts';
import { compute } from './compute.ts';
import type { RowOrder } from './sort-rows.ts';

/** The rows to show, in their order. */
export interface ShownRows {
  /** Null for all rows of the source in their own order. */
  readonly order: Uint32Array | null;
  readonly count: number;
  /** The order that the rows have, which can be an earlier one than is wanted. */
  readonly sorting: RowOrder | null;
  /** Whether a new order is being computed. */
  readonly isBusy: boolean;
}

/** The rows, and why they are not those that are wanted. */
interface ChosenRows extends ShownRows {
  readonly error: Error | null;
  readonly retry: () => void;
}

interface Wanted {
  readonly choice: RowChoice;
  readonly source: ResultSource;
}

interface Computed extends Wanted {
  readonly order: Uint32Array;
}

interface Failed extends Wanted {
  readonly error: Error;
}

/** Filters and sorts the rows of a source in the background; until this is done, the rows remain as they were. */
export function useRows(source: ResultSource, choice: RowChoice): ChosenRows {
  const [computed, setComputed] = useState<Computed | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const isAll = isEverything(choice);
  const hasFailed = failed?.source === source && failed.choice === choice;
  useEffect(() => {
    if (isAll) {
      setComputed(null);
      return;
    }
    if (hasFailed) return;
    const stop = new AbortController();
    compute(source, { kind: 'choose', choice }, stop.signal).then(
      (order) => setComputed({ source, choice, order }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setFailed({ source, choice, error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => stop.abort();
  }, [source, choice, isAll, hasFailed]);
  const trouble = { error: hasFailed ? failed.error : null, retry: () => setFailed(null) };
  if (isAll || computed === null) {
    return { order: null, count: source.rowCount, sorting: null, isBusy: !(isAll || hasFailed), ...trouble };
  }
  const isBusy = !hasFailed && (computed.source !== source || computed.choice !== choice);
  const { order } = computed;
  return { order, count: order.length, sorting: computed.choice.sorting, isBusy, ...trouble };
}

/** The row of the source at a place on the page. */
export function rowAt({ order }: Pick<ShownRows, 'order'>, place: number): number {
  return order === null ? place : (order[place] ?? 0);
}
