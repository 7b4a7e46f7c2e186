import type { TableInfo } from '../../../language/completion/context.ts';

/** What a row of the tables shows. */
type RowContent =
  | { readonly kind: 'schema'; readonly name: string }
  | { readonly kind: 'table'; readonly table: TableInfo }
  | { readonly kind: 'column'; readonly name: string; readonly type: string };

/** A row with its place among its siblings (WAI-ARIA). */
export interface TableRow {
  readonly key: string;
  readonly content: RowContent;
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  /** Null for a row that has nothing below it. */
  readonly isOpen: boolean | null;
}

/**
 * The visible rows: schemas as groups, if there are several, and tables with their columns. Schemas are open at first, and
 * tables closed; `toggled` has the keys of the others.
 */
export function listTableRows(
  tables: readonly TableInfo[],
  toggled: ReadonlySet<string>,
): readonly TableRow[] {
  const schemas = Map.groupBy(tables, ({ schema }) => schema);
  if (schemas.size < 2) return addTables(tables, 1, toggled);
  return [...schemas].flatMap(([name, below], at) => {
    const key = JSON.stringify([name]);
    const isOpen = !toggled.has(key);
    const place = { level: 1, position: at + 1, setSize: schemas.size };
    const row: TableRow = { key, content: { kind: 'schema', name }, ...place, isOpen };
    return isOpen ? [row, ...addTables(below, 2, toggled)] : [row];
  });
}

function addTables(
  tables: readonly TableInfo[],
  level: number,
  toggled: ReadonlySet<string>,
): readonly TableRow[] {
  return tables.flatMap((table, at) => {
    const key = JSON.stringify([table.schema, table.name]);
    const hasColumns = table.columns.length > 0;
    const isOpen = hasColumns ? toggled.has(key) : null;
    const place = { level, position: at + 1, setSize: tables.length };
    const row: TableRow = { key, content: { kind: 'table', table }, ...place, isOpen };
    return isOpen === true ? [row, ...addColumns(table, level + 1)] : [row];
  });
}

function addColumns({ schema, name, columns }: TableInfo, level: number): readonly TableRow[] {
  return columns.map((column, at) => ({
    key: JSON.stringify([schema, name, column.name]),
    content: { kind: 'column', ...column },
    level,
    position: at + 1,
    setSize: columns.length,
    isOpen: null,
  }));
}

/** The rows that a page key skips. */
const PAGE = 10;

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + PAGE,
  PageUp: (index) => index - PAGE,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** What a key does (WAI-ARIA tree pattern): the index of the row to go to, or the row to open or close; null for others. */
export function findRowAction(
  rows: readonly TableRow[],
  index: number,
  key: string,
): { readonly go: number } | 'toggle' | null {
  const row = rows[index];
  const move = MOVES[key];
  if (row === undefined) return null;
  if (move !== undefined) return { go: Math.min(Math.max(0, move(index, rows.length)), rows.length - 1) };
  if (key === 'ArrowRight' && row.isOpen !== null) return row.isOpen ? { go: index + 1 } : 'toggle';
  if (key === 'ArrowLeft' && row.isOpen === true) return 'toggle';
  if (key === 'ArrowLeft' && row.level > 1)
    return { go: rows.findLastIndex((other, at) => at < index && other.level < row.level) };
  return null;
}
