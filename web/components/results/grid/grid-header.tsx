import { memo, type PointerEvent } from 'react';
import { isNumber } from '../../../../src/engine/result/columns/type-names.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { ArrowUpIcon, ChevronIcon, PinIcon } from '../../icons.tsx';
import type { ColumnSketch } from '../compute/sketch-column.ts';
import type { RowOrder } from '../compute/sort-rows.ts';
import type { Sketches } from '../compute/use-sketches.ts';
import type { ResultColumn } from '../source/result-source.ts';
import { SketchLine } from './column-sketch.tsx';
import classes from './grid.module.css';
import { type DrawnColumn, type DrawnColumns, placeColumn } from './grid-row.tsx';
import type { GridView } from './grid-view.ts';

interface GridHeaderProps {
  readonly id: string;
  readonly columns: readonly ResultColumn[];
  readonly drawn: DrawnColumns;
  readonly view: GridView;
  /** The order that the rows have. */
  readonly sorting: RowOrder | null;
  readonly sketches: Sketches;
  /** The column of the keyboard's cell; -1 if it is below. */
  readonly active: number;
  readonly onMenu: (place: number) => void;
  readonly onSort: (column: number) => void;
  readonly onResize: (column: number, width: number) => void;
  readonly onFit: (column: number) => void;
}

/** The names of the columns. A click on one opens its menu; its right edge changes the width. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { id, columns, drawn, view, sorting, sketches, active, onMenu, onSort, onResize, onFit } = props;
  return (
    <div role="row" aria-rowindex={1} className={classes.header} style={{ width: drawn.total }}>
      <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: drawn.numbers }}>
        <span className={classes.hidden}>Row</span>
      </div>
      {drawn.columns.map((drawnColumn, i) => {
        const column = columns[drawnColumn.column];
        if (column === undefined) return null;
        return (
          <HeaderCell
            key={drawnColumn.place}
            id={`${id}-header-${drawnColumn.place}`}
            column={column}
            drawnColumn={drawnColumn}
            gap={i === drawn.pinned ? drawn.gap : 0}
            view={view}
            sorting={sorting?.column === drawnColumn.column ? sorting : null}
            sketch={sketches.get(drawnColumn.column) ?? null}
            isActive={drawnColumn.place === active}
            onMenu={() => onMenu(drawnColumn.place)}
            onSort={() => onSort(drawnColumn.column)}
            onResize={(width) => onResize(drawnColumn.column, width)}
            onFit={() => onFit(drawnColumn.column)}
          />
        );
      })}
    </div>
  );
});

interface HeaderCellProps {
  readonly id: string;
  readonly column: ResultColumn;
  readonly drawnColumn: DrawnColumn;
  readonly gap: number;
  readonly view: GridView;
  /** The order of the rows, if it is by this column. */
  readonly sorting: RowOrder | null;
  /** Null while it is not known. */
  readonly sketch: ColumnSketch | null;
  readonly isActive: boolean;
  readonly onMenu: () => void;
  readonly onSort: () => void;
  readonly onResize: (width: number) => void;
  readonly onFit: () => void;
}

function HeaderCell(props: HeaderCellProps) {
  const { id, column, drawnColumn, gap, view, sorting, sketch, isActive } = props;
  const { onMenu, onSort, onResize, onFit } = props;
  const isFiltered = view.filters.some((filter) => filter.column === drawnColumn.column);
  return (
    <div
      id={id}
      role="columnheader"
      aria-colindex={drawnColumn.place + 2}
      aria-sort={sorting === null ? 'none' : sorting.isDescending ? 'descending' : 'ascending'}
      className={classes.column}
      data-place={drawnColumn.place}
      data-active={isActive || undefined}
      data-pinned={drawnColumn.pinnedAt !== null || undefined}
      data-right={isNumber(column.valueType) || undefined}
      title={`${column.name} · ${column.type}`}
      style={placeColumn(drawnColumn, gap)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of the column sorts, too */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the menu of the column sorts, too */}
      <span className={classes.name} onClick={onSort}>
        <span className={classes.text}>
          {column.name === '' ? <em className={classes.unnamed}>no name</em> : showDirections(column.name)}
        </span>
        {sorting !== null && (
          <span className={classes.sorted} data-descending={sorting.isDescending || undefined}>
            <ArrowUpIcon size={13} />
          </span>
        )}
      </span>
      <span className={classes.type}>
        {view.pinned.includes(drawnColumn.column) && <PinIcon size={11} />}
        <span>{column.type.toLowerCase()}</span>
        {isFiltered && <span className={classes.filtered}>filtered</span>}
      </span>
      {sketch !== null && <SketchLine sketch={sketch} type={column.type} />}
      <span className={classes.more} data-menu={drawnColumn.place} aria-hidden="true" onClick={onMenu}>
        <ChevronIcon size={14} />
      </span>
      <span
        className={classes.edge}
        aria-hidden="true"
        onPointerDown={(event) => startResizing(event, drawnColumn.width, onResize)}
        onDoubleClick={onFit}
      />
    </div>
  );
}

/** Changes the width while the pointer moves. */
function startResizing(
  event: PointerEvent<HTMLElement>,
  width: number,
  onResize: (width: number) => void,
): void {
  event.preventDefault();
  event.stopPropagation();
  const { currentTarget: edge, clientX: from, pointerId } = event;
  edge.setPointerCapture(pointerId);
  const move = ({ clientX }: globalThis.PointerEvent) => onResize(width + clientX - from);
  const end = () => {
    edge.removeEventListener('pointermove', move);
    edge.removeEventListener('lostpointercapture', end);
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', end);
}
