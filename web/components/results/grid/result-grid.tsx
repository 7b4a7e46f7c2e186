import type { ClipboardEvent, PointerEvent } from 'react';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import type { ResultSource } from '../source/result-source.ts';
import { ColumnMenu } from './column-menu.tsx';
import classes from './grid.module.css';
import { GridHeader } from './grid-header.tsx';
import { measureRows, ROW_HEIGHT, type RowWindow } from './grid-layout.ts';
import { type DrawnColumns, GridRow } from './grid-row.tsx';
import { cycleSorting, measureColumn, setWidth } from './grid-view.ts';
import { type CellPlace, type CellRange, type Selection, selectCell, toRange } from './selection.ts';
import { HEADER_HEIGHT, type ResultGridProps, useGrid } from './use-grid.ts';

/** The rows of a result. Only visible cells are drawn; the grid has the focus, and names the active cell. */
export function ResultGrid(props: ResultGridProps) {
  const { label, source, rows, view, onView, selection, onSelect, onCopy, columnActions } = props;
  const grid = useGrid(props);
  const { order, drawn } = grid.columns;
  const pointer = usePointerSelection({ selection, columns: order.length, onSelect });
  const fit = (column: number) => onView((before) => setWidth(before, column, measureColumn(source, column)));
  return (
    <div className={classes.wrap}>
      <div
        ref={grid.box}
        role="grid"
        tabIndex={0}
        className={classes.grid}
        aria-label={label}
        aria-rowcount={rows.count + 1}
        aria-colcount={order.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={grid.activeId}
        {...grid.keys}
        onCopy={(event) => copyTo(event, onCopy())}
        onDoubleClick={({ target }) => {
          if (selection !== null && pointer.isCell(target)) grid.open(selection);
        }}
        onPointerDown={pointer.onDown}
        onPointerMove={pointer.onMove}
      >
        <div
          className={classes.canvas}
          style={{ width: drawn.total, height: HEADER_HEIGHT + measureRows(rows.count) }}
        >
          <GridHeader
            id={grid.id}
            columns={source.columns}
            drawn={drawn}
            view={view}
            sorting={rows.sorting}
            sketches={grid.sketches}
            active={selection?.active.row === -1 ? selection.active.column : -1}
            onMenu={grid.openMenu}
            onSort={(column) => onView((before) => cycleSorting(before, column))}
            onResize={(column, width) => onView((before) => setWidth(before, column, width))}
            onFit={fit}
          />
          <GridRows
            {...{ source, rows, drawn, selection }}
            id={grid.id}
            window={grid.window}
            below={HEADER_HEIGHT}
          />
        </div>
      </div>
      {rows.count === 0 && (
        <p className={classes.empty} style={{ top: HEADER_HEIGHT }}>
          {printEmpty(source.rowCount > 0, source.isComplete)}
        </p>
      )}
      {grid.menuAt !== null && (
        <ColumnMenu
          column={order[grid.menuAt] ?? 0}
          name={source.columns[order[grid.menuAt] ?? 0]?.name ?? ''}
          left={grid.menuLeft}
          top={HEADER_HEIGHT}
          view={view}
          onView={onView}
          onFit={fit}
          actions={columnActions}
          onClose={grid.closeMenu}
        />
      )}
    </div>
  );
}

function copyTo(event: ClipboardEvent, text: string | null): void {
  if (text === null) return;
  event.clipboardData.setData('text/plain', text);
  event.preventDefault();
}

/** Why the grid has no rows. */
function printEmpty(isFiltered: boolean, isComplete: boolean): string {
  if (isFiltered) return 'No row meets the filters.';
  return isComplete ? 'The result has no rows.' : 'No rows so far.';
}

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
function GridRows({ id, source, rows, window, drawn, selection, below }: GridRowsProps) {
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

interface PointerSelectionOptions {
  readonly selection: Selection | null;
  /** The number of columns. */
  readonly columns: number;
  readonly onSelect: (selection: Selection) => void;
}

/** Selects cells with the pointer: a click, a click with the shift key, or a move from one cell to another. */
function usePointerSelection({ selection, columns, onSelect }: PointerSelectionOptions) {
  const extend = (to: CellPlace) => onSelect({ anchor: selection?.anchor ?? to, active: to });
  return {
    isCell: (target: EventTarget) => findCell(target)?.column !== undefined,
    onDown: ({ target, button, shiftKey }: PointerEvent) => {
      const cell = findCell(target);
      if (cell === null || button !== 0) return;
      const { row, column } = cell;
      if (column === undefined) {
        const from = shiftKey ? (selection?.anchor.row ?? row) : row;
        onSelect({ anchor: { row: from, column: 0 }, active: { row, column: columns - 1 } });
      } else if (shiftKey) {
        extend({ row, column });
      } else {
        onSelect(selectCell(row, column));
      }
    },
    onMove: ({ target, buttons, pointerType }: PointerEvent) => {
      if (buttons !== 1 || pointerType !== 'mouse' || selection === null) return;
      const cell = findCell(target);
      if (cell?.column === undefined) return;
      const { row, column } = cell;
      const { active } = selection;
      if (row !== active.row || column !== active.column) extend({ row, column });
    },
  };
}

/** The place of a cell, or of the number of a row, whose column is undefined. */
function findCell(target: EventTarget): { readonly row: number; readonly column?: number } | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  if (cell === null) return null;
  const { row, column } = cell.dataset;
  return column === undefined ? { row: Number(row) } : { row: Number(row), column: Number(column) };
}
