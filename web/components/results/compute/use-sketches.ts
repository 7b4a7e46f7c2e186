import { useEffect, useState } from 'react';
import type { ResultSource } from '../source/result-source.ts';
import { compute } from './compute.ts';
import type { ColumnSketch } from './sketch-column.ts';

/** The sketches of columns, as far as they are known. */
export type Sketches = ReadonlyMap<number, ColumnSketch>;

const NO_SKETCHES: Sketches = new Map();
/** The values of a computation; further columns are sketched by the next one. */
const MAX_VALUES = 1_000_000;

interface SketchOptions {
  readonly source: ResultSource;
  /** The rows to sketch; null for all. */
  readonly order: Uint32Array | null;
  /** The columns that a person sees. */
  readonly visible: readonly number[];
  readonly isWanted: boolean;
  /** The browser ended a computation. */
  readonly onFail: () => void;
}

interface Sketched extends Pick<SketchOptions, 'source' | 'order'> {
  readonly sketches: Sketches;
}

/** Sketches the visible columns in the background, a few at once. */
export function useSketches({ source, order, visible, isWanted, onFail }: SketchOptions): Sketches {
  const [sketched, setSketched] = useState<Sketched | null>(null);
  const isCurrent = sketched?.source === source && sketched.order === order;
  const known = isCurrent && isWanted ? sketched.sketches : NO_SKETCHES;
  const most = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, source.rowCount)));
  const next = isWanted ? visible.filter((column) => !known.has(column)).slice(0, most) : [];
  const wanted = next.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new each time, its columns are not
  useEffect(() => {
    if (next.length === 0) return;
    const stop = new AbortController();
    compute(source, { kind: 'sketch', columns: next, order }, stop.signal).then(
      (found) => {
        const entries = next.flatMap((column, i) => {
          const sketch = found[i];
          return sketch === undefined ? [] : [[column, sketch] as const];
        });
        setSketched({ source, order, sketches: new Map([...known, ...entries]) });
      },
      () => {
        if (!stop.signal.aborted) onFail();
      },
    );
    return () => stop.abort();
  }, [source, order, wanted]);
  return known;
}
