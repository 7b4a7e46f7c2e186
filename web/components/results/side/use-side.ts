import { useNavigate, useSearch } from '@tanstack/react-router';
import { use } from 'react';
import { SideContext } from './side-context.ts';
import type { SidePart, SideSearch } from './side-search.ts';

/** A cell of a result: a row in its own order, and a column. */
export interface SideCell {
  readonly row: number;
  readonly column: number;
}

/** The panel as the address describes it. */
interface SideState {
  /** Null if it is closed. */
  readonly part: SidePart | null;
  /** Null without a cell in the address. */
  readonly cell: SideCell | null;
  /** Shows a part, and gives the panel the focus; the way back closes a panel that was closed. */
  readonly open: (part: SidePart, cell?: SideCell) => void;
  /** Shows another part of the open panel. */
  readonly change: (part: SidePart) => void;
  readonly close: () => void;
  /** Describes another cell. */
  readonly follow: (cell: SideCell) => void;
}

/** Reads and changes the panel of the page, whose state is in the address. */
export function useSide(): SideState {
  const { panel, row, column } = useSearch({ strict: false });
  const navigate = useNavigate();
  const side = use(SideContext);
  const go = (changed: SideSearch, replace: boolean) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace });
  return {
    part: panel ?? null,
    cell: row === undefined || column === undefined ? null : { row, column },
    open: (part, cell) => {
      go({ panel: part, ...cell }, panel !== undefined);
      side?.requests.set({ count: side.requests.get().count + 1, part });
    },
    change: (part) => go({ panel: part }, true),
    close: () => go({ panel: undefined, row: undefined, column: undefined }, false),
    follow: ({ row: nextRow, column: nextColumn }) => go({ row: nextRow, column: nextColumn }, true),
  };
}
