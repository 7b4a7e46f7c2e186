import type { FocusEvent, KeyboardEvent } from 'react';
import { moveSelection, type Selection, selectCell } from './selection.ts';

interface GridKeysOptions {
  readonly rows: number;
  readonly columns: number;
  /** The rows of a page. */
  readonly page: number;
  readonly selection: Selection | null;
  /** Selects cells, and scrolls to the active one. */
  readonly onSelect: (selection: Selection) => void;
  /** Opens a cell, or the menu of a column, whose row is -1. */
  readonly onOpen: (selection: Selection) => void;
  readonly onMenu: (column: number) => void;
}

/** The keys of the grid (WAI-ARIA grid pattern); the first focus selects the first cell. */
export function useGridKeys(options: GridKeysOptions) {
  const { rows, columns, page, selection, onSelect, onOpen, onMenu } = options;
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (selection === null) return;
      const next = moveSelection(selection, event, { rows, columns, page });
      if (next !== null) onSelect(next);
      else if (event.key === 'Enter') onOpen(selection);
      else if (event.key === 'Escape') onSelect({ anchor: selection.active, active: selection.active });
      else if (isMenuKey(event)) onMenu(selection.active.column);
      else return;
      event.preventDefault();
    },
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      if (selection !== null || target !== currentTarget || columns === 0) return;
      onSelect(selectCell(rows === 0 ? -1 : 0, 0));
    },
  };
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}
