import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import type { ResultSource } from '../source/result-source.ts';
import type { ColumnMenuActions } from './column-menu.tsx';
import {
  findRowWindow,
  findScrollLeft,
  findScrollTop,
  keepPlace,
  ROW_HEIGHT,
  type RowWindow,
} from './grid-layout.ts';
import type { GridView } from './grid-view.ts';
import type { Selection } from './selection.ts';
import { type GridColumns, useColumns } from './use-columns.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useViewport, type Viewport } from './use-viewport.ts';

/** The height of the header, in pixels. */
export const HEADER_HEIGHT = 46;

export interface ResultGridProps {
  readonly label: string;
  readonly source: ResultSource;
  readonly rows: ShownRows;
  readonly view: GridView;
  readonly onView: (change: (view: GridView) => GridView) => void;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
  /** Called with a row and a column of the source. */
  readonly onOpen: (row: number, column: number) => void;
  /** The selected cells as text; null if nothing can be copied. */
  readonly onCopy: () => string | null;
  readonly columnActions: ColumnMenuActions;
}

/** The state of a grid: the visible part, and the actions of keys. */
interface GridState {
  readonly id: string;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly columns: GridColumns;
  readonly window: RowWindow;
  /** The id of the active cell, if it is drawn. */
  readonly activeId: string | undefined;
  readonly keys: ReturnType<typeof useGridKeys>;
  /** Opens the active cell, or the menu of its column. */
  readonly open: (selection: Selection) => void;
  /** The column whose menu is open, its place in the visible part, and how to open another one. */
  readonly menuAt: number | null;
  readonly menuLeft: number;
  readonly openMenu: (place: number) => void;
  readonly closeMenu: () => void;
}

/** Keeps the state of a grid. */
export function useGrid({ source, rows, view, selection, onSelect, onOpen }: ResultGridProps): GridState {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const viewport = useViewport(box);
  const columns = useColumns(source, view, viewport);
  const [menuAt, setMenuAt] = useState<number | null>(null);
  const height = Math.max(0, viewport.height - HEADER_HEIGHT);
  const window = findRowWindow(rows.count, viewport.top, height);
  useSamePlace(box, rows.count, source);
  const open = ({ active: { row, column } }: Selection) => {
    if (row < 0) setMenuAt(column);
    else if (row < rows.count) onOpen(rowAt(rows, row), columns.order[column] ?? 0);
  };
  const keys = useGridKeys({
    rows: rows.count,
    columns: columns.order.length,
    page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 1),
    selection,
    onSelect: (next) => {
      onSelect(next);
      if (box.current !== null)
        scrollTo(box.current, next.active.row, next.active.column, rows.count, columns);
    },
    onOpen: open,
    onMenu: setMenuAt,
  });
  return {
    id,
    box,
    columns,
    window,
    activeId: findActive(selection, id, window, columns),
    keys,
    open,
    menuAt,
    menuLeft: menuAt === null ? 0 : findMenuPlace(menuAt, columns, viewport),
    openMenu: setMenuAt,
    closeMenu: () => {
      setMenuAt(null);
      box.current?.focus({ preventScroll: true });
    },
  };
}

/** Keeps the visible rows where they are while further rows of a result arrive. */
function useSamePlace(box: RefObject<HTMLElement | null>, count: number, source: ResultSource): void {
  const before = useRef(count);
  useLayoutEffect(() => {
    const element = box.current;
    // A filter has other rows; only arriving ones leave the others where they are.
    if (element !== null && count > before.current && count === source.rowCount) {
      const height = element.clientHeight - HEADER_HEIGHT;
      const top = keepPlace(before.current, count, element.scrollTop, height);
      if (top !== element.scrollTop) element.scrollTop = top;
    }
    before.current = count;
  }, [box, count, source]);
}

/** Scrolls until a cell is visible. */
function scrollTo(
  box: HTMLElement,
  row: number,
  column: number,
  count: number,
  { layout }: GridColumns,
): void {
  box.scrollLeft = findScrollLeft(layout, column, box.scrollLeft, box.clientWidth);
  if (row >= 0) box.scrollTop = findScrollTop(count, row, box.scrollTop, box.clientHeight - HEADER_HEIGHT);
}

/** The left edge of a column's header in the visible part, in pixels. */
function findMenuPlace(place: number, { layout }: GridColumns, { left, width }: Viewport): number {
  const edge = (layout.edges[place] ?? 0) - (place < layout.pinned ? 0 : left);
  return Math.max(0, Math.min(width - 1, edge));
}

/** The id of the active cell, if it is drawn. */
function findActive(
  selection: Selection | null,
  id: string,
  { start, end }: RowWindow,
  { drawn }: GridColumns,
): string | undefined {
  if (selection === null) return undefined;
  const { row, column } = selection.active;
  if (!drawn.columns.some(({ place }) => place === column)) return undefined;
  if (row === -1) return `${id}-header-${column}`;
  return row >= start && row < end ? `${id}-${row}-${column}` : undefined;
}
