/** What the panel next to the results can show, in the order of its switch. */
export const SIDE_PARTS = ['value', 'summary', 'filter', 'chart', 'sql'] as const;

export type SidePart = (typeof SIDE_PARTS)[number];

/** The search parameters of pages with the panel; without `panel`, it is closed. */
export interface SideSearch {
  readonly panel?: SidePart | undefined;
  /** The cell that it describes, from 0: a row of the result in its own order, and a column. */
  readonly row?: number | undefined;
  readonly column?: number | undefined;
}

/** Reads the search parameters; invalid ones are ignored. */
export function readSideSearch({ panel, row, column }: Record<string, unknown>): SideSearch {
  return { panel: SIDE_PARTS.find((part) => part === panel), row: toIndex(row), column: toIndex(column) };
}

/** A number from 0; undefined for everything else. */
export function toIndex(value: unknown): number | undefined {
  const index = Number(value ?? Number.NaN);
  return Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}
