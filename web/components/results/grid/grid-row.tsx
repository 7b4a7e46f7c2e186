import { memo } from 'react';
import { isNumber } from '../../../../src/engine/result/columns/type-names.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import type { ResultSource } from '../source/result-source.ts';
import classes from './grid.module.css';
import type { IndexRange } from './grid-layout.ts';

/** The UTF-16 units of a value that a cell shows. */
const MAX_SHOWN = 300;

/** A column to draw. */
export interface DrawnColumn {
  /** Its place among the shown columns. */
  readonly place: number;
  /** Its index in the source. */
  readonly column: number;
  readonly width: number;
  /** The left edge of a pinned column, in pixels; null for others. */
  readonly pinnedAt: number | null;
}

/** The columns to draw: the pinned ones, a gap, and those that are visible. */
export interface DrawnColumns {
  readonly columns: readonly DrawnColumn[];
  /** The width between the pinned columns and the first of the others, in pixels. */
  readonly gap: number;
  readonly pinned: number;
  /** The width of the row numbers, in pixels. */
  readonly numbers: number;
  /** The width of all columns, in pixels. */
  readonly total: number;
}

interface GridRowProps {
  readonly id: string;
  readonly source: ResultSource;
  /** The row of the source, and its place on the page. */
  readonly row: number;
  readonly place: number;
  /** The distance from the top, in pixels. */
  readonly top: number;
  readonly drawn: DrawnColumns;
  /** The selected columns; empty if the row is not selected. */
  readonly selectedStart: number;
  readonly selectedEnd: number;
  /** The column of the keyboard's cell; -1 for other rows. */
  readonly active: number;
}

/** A row of the grid, with the cells that are visible. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, source, row, place, top, drawn, selectedStart, selectedEnd, active } = props;
  const selected: IndexRange = { start: selectedStart, end: selectedEnd };
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      className={classes.row}
      data-odd={place % 2 === 1 || undefined}
      style={{ transform: `translateY(${top}px)`, width: drawn.total }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={classes.number}
        data-row={place}
        style={{ width: drawn.numbers }}
      >
        {row + 1}
      </div>
      {drawn.columns.map((column, i) => (
        <Cell
          key={column.place}
          id={`${id}-${place}-${column.place}`}
          source={source}
          row={row}
          place={place}
          column={column}
          gap={i === drawn.pinned ? drawn.gap : 0}
          isSelected={column.place >= selected.start && column.place < selected.end}
          isActive={column.place === active}
        />
      ))}
    </div>
  );
});

interface CellProps {
  readonly id: string;
  readonly source: ResultSource;
  readonly row: number;
  readonly place: number;
  readonly column: DrawnColumn;
  readonly gap: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
}

function Cell({ id, source, row, place, column, gap, isSelected, isActive }: CellProps) {
  const text = source.getText(row, column.column, MAX_SHOWN + 1);
  const type = source.columns[column.column]?.valueType;
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column.place + 2}
      aria-selected={isSelected}
      className={classes.cell}
      data-row={place}
      data-column={column.place}
      data-null={text === null || undefined}
      data-right={(type !== undefined && isNumber(type)) || undefined}
      data-active={isActive || undefined}
      data-pinned={column.pinnedAt !== null || undefined}
      style={placeColumn(column, gap)}
    >
      {text === null ? 'NULL' : printCell(text)}
    </div>
  );
}

/** The place of a cell in its row: pinned ones stay when the others scroll. */
export function placeColumn({ width, pinnedAt }: DrawnColumn, gap: number) {
  return { width, marginInlineStart: gap, ...(pinnedAt === null ? {} : { left: pinnedAt }) };
}

/** A text in one line; line breaks are visible. */
function printCell(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return showDirections(shown.replace(/\r\n|\r|\n/g, '⏎').replaceAll('\t', '⇥'));
}
