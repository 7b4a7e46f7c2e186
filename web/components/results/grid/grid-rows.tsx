import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import type { ResultSource } from '../source/result-source.ts';
import { ROW_HEIGHT, type RowWindow } from './grid-layout.ts';
import { type DrawnColumns, GridRow } from './grid-row.tsx';
import { type CellRange, type Selection, toRange } from './selection.ts';

interface GridRowsProps {
  readonly id: string;
  readonly source: ResultSource;
  readonly rows: ShownRows;
  readonly window: RowWindow;
  readonly drawn: DrawnColumns;
  readonly selection: Selection | null;
  /** The distance of the rows from the top of the content, in pixels. */
  readonly below: number;
}

/** The visible rows. */
export function GridRows({ id, source, rows, window, drawn, selection, below }: GridRowsProps) {
  const range = selection === null ? null : toRange(selection);
  const { start, end, top } = window;
  return Array.from({ length: end - start }, (_, i) => start + i).map((place) => (
    <GridRow
      key={place}
      id={id}
      source={source}
      row={rowAt(rows, place)}
      place={place}
      top={below + top + (place - start) * ROW_HEIGHT}
      drawn={drawn}
      {...findSelected(range, place)}
      active={selection?.active.row === place ? selection.active.column : -1}
    />
  ));
}

/** The selected columns of a row; `start` equals `end` if no column is selected. */
function findSelected(range: CellRange | null, row: number) {
  if (range === null || row < range.top || row > range.bottom) return { selectedStart: 0, selectedEnd: 0 };
  return { selectedStart: range.left, selectedEnd: range.right + 1 };
}
