import { useMemo } from 'react';
import type { ResultSource } from '../source/result-source.ts';
import { type ColumnLayout, findColumnRange, layOutColumns } from './grid-layout.ts';
import type { DrawnColumn, DrawnColumns } from './grid-row.tsx';
import { type GridView, measureColumns, orderColumns } from './grid-view.ts';
import type { Viewport } from './use-viewport.ts';

/** The columns of the grid: their order, their places, and those to draw. */
export interface GridColumns {
  /** The column of the source at each place. */
  readonly order: readonly number[];
  readonly layout: ColumnLayout;
  readonly drawn: DrawnColumns;
}

/** The part of the width that pinned columns may take; on narrow screens they scroll with the others. */
const MAX_PINNED = 0.6;

/** Places the columns, and finds those that are visible. */
export function useColumns(source: ResultSource, view: GridView, viewport: Viewport): GridColumns {
  const { columns } = source;
  const hasRows = source.rowCount > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later rows must not change the widths
  const measured = useMemo(() => measureColumns(source), [columns, hasRows]);
  const numbers = measureNumbers(source.rowCount);
  const { order, widths, layout } = useMemo(() => {
    const places = orderColumns(columns.length, view.pinned);
    const own = places.map((column) => view.widths.get(column) ?? measured[column] ?? 0);
    const pinnedWidth = own.slice(0, view.pinned.length).reduce((sum, width) => sum + width, numbers);
    const pinned = pinnedWidth <= viewport.width * MAX_PINNED ? view.pinned.length : 0;
    return { order: places, widths: own, layout: layOutColumns(own, numbers, pinned) };
  }, [columns, view.pinned, view.widths, measured, numbers, viewport.width]);
  const { start, end } = findColumnRange(layout, viewport.left, viewport.width);
  const drawn = useMemo((): DrawnColumns => {
    const { edges, pinned } = layout;
    const toDrawn = (place: number): DrawnColumn => ({
      place,
      column: order[place] ?? 0,
      width: widths[place] ?? 0,
      pinnedAt: place < pinned ? (edges[place] ?? 0) : null,
    });
    const places = [...range(0, pinned), ...range(start, end)];
    return {
      columns: places.map(toDrawn),
      gap: (edges[start] ?? 0) - (edges[pinned] ?? 0),
      pinned,
      numbers,
      total: edges[order.length] ?? 0,
    };
  }, [order, widths, layout, start, end, numbers]);
  return { order, layout, drawn };
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}

/** The width of the row numbers, in pixels. */
function measureNumbers(rowCount: number): number {
  return Math.max(3, String(rowCount).length) * 8 + 20;
}
