/** A cell by its place on the page: `row` -1 is the header; columns are counted in the order in which they are shown. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** The selected rectangle: from `anchor` to `active`, which is the cell of the keyboard. */
export interface Selection {
  readonly anchor: CellPlace;
  readonly active: CellPlace;
}

/** The size of the grid: its rows and columns, and the rows of a page. */
interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

/** A rectangle of cells; the ends are inclusive. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The part of a keyboard event that moves the selection. */
interface MoveKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** The selected rows and columns, without the header. */
export function toRange({ anchor, active }: Selection): CellRange {
  return {
    top: Math.max(0, Math.min(anchor.row, active.row)),
    bottom: Math.max(anchor.row, active.row),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  };
}

/** Selects one cell. */
export function selectCell(row: number, column: number): Selection {
  const cell = { row, column };
  return { anchor: cell, active: cell };
}

/** The selection after a key (WAI-ARIA grid pattern); null for keys that do not move it. The shift key extends it. */
export function moveSelection(selection: Selection, key: MoveKey, size: GridSize): Selection | null {
  if (key.key.toLowerCase() === 'a' && isControl(key)) return selectAll(size);
  const move = MOVES[key.key];
  if (move === undefined) return null;
  const { row, column } = move(selection.active, size, isControl(key));
  const active = {
    row: Math.max(key.shiftKey ? Math.min(0, size.rows - 1) : -1, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  };
  return { active, anchor: key.shiftKey ? selection.anchor : active };
}

function isControl({ ctrlKey, metaKey }: MoveKey): boolean {
  return ctrlKey || metaKey;
}

function selectAll({ rows, columns }: GridSize): Selection {
  return { anchor: { row: 0, column: 0 }, active: { row: rows - 1, column: columns - 1 } };
}

type Move = (active: CellPlace, size: GridSize, isControl: boolean) => CellPlace;

const MOVES: Readonly<Record<string, Move>> = {
  ArrowDown: ({ row, column }, { rows }, all) => ({ row: all ? rows - 1 : row + 1, column }),
  ArrowUp: ({ row, column }, _size, all) => ({ row: all ? 0 : row - 1, column }),
  ArrowRight: ({ row, column }, { columns }, all) => ({ row, column: all ? columns - 1 : column + 1 }),
  ArrowLeft: ({ row, column }, _size, all) => ({ row, column: all ? 0 : column - 1 }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  PageUp: ({ row, column }, { page }) => ({ row: Math.max(0, row - page), column }),
  Home: ({ row }, _size, all) => ({ row: all ? 0 : row, column: 0 }),
  End: ({ row }, { rows, columns }, all) => ({ row: all ? rows - 1 : row, column: columns - 1 }),
};
