import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { notifyNote } from '../../notify.ts';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import { type Sketches, useSketches } from '../compute/use-sketches.ts';
import type { ResultSource } from '../source/result-source.ts';
import type { ColumnMenuActions } from './column-menu.tsx';
import {
  type ColumnLayout,
  findColumnRange,
  findRowWindow,
  findScrollLeft,
  findScrollTop,
  keepPlace,
  layOutColumns,
  ROW_HEIGHT,
  type RowWindow,
} from './grid-layout.ts';
import type { DrawnColumn, DrawnColumns } from './grid-row.tsx';
import { type GridView, measureColumns, orderColumns } from './grid-view.ts';
import { moveSelection, type Selection, selectCell } from './selection.ts';

/** The height of the header, in pixels. */
export const HEADER_HEIGHT = 66;

export interface ResultGridProps {
  readonly label: string;
  readonly source: ResultSource;
  readonly rows: ShownRows;
  /** Whether further rows are on their way. */
  readonly isLoading: boolean;
  readonly view: GridView;
  readonly onView: (change: (view: GridView) => GridView) => void;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
  /** Called with a row and a column of the source. */
  readonly onOpen: (row: number, column: number) => void;
  /** The selected cells as text; null if nothing can be copied. */
  readonly onCopy: () => string | null;
  readonly columnActions: ColumnMenuActions;
  /** Whether the headers show how values are distributed; `onSketchFail` is called if the browser ends the computation. */
  readonly isSketched: boolean;
  readonly onSketchFail: () => void;
}

/** The state of a grid: the visible part, and the actions of keys. */
interface GridState {
  readonly id: string;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly columns: GridColumns;
  readonly window: RowWindow;
  readonly sketches: Sketches;
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
export function useGrid(props: ResultGridProps): GridState {
  const { source, rows, isLoading, view, selection, onSelect, onOpen } = props;
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
    isLoading,
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
    sketches: useGridSketches(props, columns),
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

/** The sketches of the columns that are drawn. */
function useGridSketches(
  { source, rows, isSketched, onSketchFail }: ResultGridProps,
  { drawn }: GridColumns,
) {
  return useSketches({
    source,
    // Another order of all rows has the same values.
    order: rows.count === source.rowCount ? null : rows.order,
    visible: drawn.columns.map(({ column }) => column),
    isWanted: isSketched && rows.count > 0,
    onFail: onSketchFail,
  });
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

/** The columns of the grid: their order, their places, and those to draw. */
interface GridColumns {
  /** The column of the source at each place. */
  readonly order: readonly number[];
  readonly layout: ColumnLayout;
  readonly drawn: DrawnColumns;
}

/** The part of the width that pinned columns may take; on narrow screens they scroll with the others. */
const MAX_PINNED = 0.6;

/** Places the columns, and finds those that are visible. */
function useColumns(source: ResultSource, view: GridView, viewport: Viewport): GridColumns {
  const { columns } = source;
  const hasRows = source.rowCount > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later rows must not change the widths
  const measured = useMemo(() => measureColumns(source), [columns, hasRows]);
  const numbers = measureNumbers(source.rowCount);
  const { order, widths, layout } = useMemo(() => {
    const places = orderColumns(columns.length, view.pinned);
    const columnWidths = places.map((column) => view.widths.get(column) ?? measured[column] ?? 0);
    const pinnedWidth = columnWidths
      .slice(0, view.pinned.length)
      .reduce((sum, width) => sum + width, numbers);
    const pinned = pinnedWidth <= viewport.width * MAX_PINNED ? view.pinned.length : 0;
    return { order: places, widths: columnWidths, layout: layOutColumns(columnWidths, numbers, pinned) };
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

interface GridKeysOptions {
  readonly rows: number;
  readonly columns: number;
  /** The rows of a page. */
  readonly page: number;
  readonly selection: Selection | null;
  readonly isLoading: boolean;
  /** Selects cells, and scrolls to the active one. */
  readonly onSelect: (selection: Selection) => void;
  /** Opens a cell, or the menu of a column, whose row is -1. */
  readonly onOpen: (selection: Selection) => void;
  readonly onMenu: (column: number) => void;
}

/** The keys of the grid (WAI-ARIA grid pattern); the first focus selects the first cell. */
function useGridKeys(options: GridKeysOptions) {
  const { rows, columns, page, selection, isLoading, onSelect, onOpen, onMenu } = options;
  const first = selectCell(rows === 0 ? -1 : 0, 0);
  const select = (event: KeyboardEvent, chosen: Selection) => {
    if (isLoading && chosen.active.row === rows - 1) noteLast(event);
    onSelect(chosen);
  };
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const next = moveSelection(selection ?? first, event, { rows, columns, page });
      // Without a selection, the rows have changed and the grid still has the focus.
      if (next !== null) select(event, selection === null ? first : next);
      else if (selection === null) return;
      else if (event.key === 'Enter') onOpen(selection);
      else if (isNarrowing(event, selection))
        onSelect({ anchor: selection.active, active: selection.active });
      else if (isMenuKey(event)) onMenu(selection.active.column);
      else return;
      event.preventDefault();
    },
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      if (selection !== null || target !== currentTarget || columns === 0) return;
      onSelect(first);
    },
  };
}

/** Whether a key leaves only the active cell of several selected ones. */
function isNarrowing({ key }: KeyboardEvent, { anchor, active }: Selection): boolean {
  return key === 'Escape' && (anchor.row !== active.row || anchor.column !== active.column);
}

/** Says that a key to the end leads to the last row so far. */
function noteLast({ ctrlKey, metaKey }: KeyboardEvent): void {
  if (ctrlKey || metaKey) notifyNote('Rows are still coming: this is the last one so far');
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

/** The visible part of a scrolled element, in pixels. */
interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Observes the scroll position and the size of an element. */
function useViewport(element: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, width: 0, height: 0 });
  useEffect(() => {
    const box = element.current;
    if (box === null) return;
    const read = () =>
      setViewport({
        top: box.scrollTop,
        left: box.scrollLeft,
        width: box.clientWidth,
        height: box.clientHeight,
      });
    const resizing = new ResizeObserver(read);
    resizing.observe(box);
    box.addEventListener('scroll', read, { passive: true });
    return () => {
      resizing.disconnect();
      box.removeEventListener('scroll', read);
    };
  }, [element]);
  return viewport;
}
