import type { ClipboardEvent } from 'react';
import { ColumnMenu } from './column-menu.tsx';
import classes from './grid.module.css';
import { GridHeader } from './grid-header.tsx';
import { measureRows } from './grid-layout.ts';
import { GridRows } from './grid-rows.tsx';
import { cycleSorting, measureColumn, setWidth } from './grid-view.ts';
import { HEADER_HEIGHT, type ResultGridProps, useGrid } from './use-grid.ts';
import { usePointerSelection } from './use-pointer-selection.ts';

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
