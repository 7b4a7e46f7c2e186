import type { PointerEvent } from 'react';
import { type CellPlace, type Selection, selectCell } from './selection.ts';

interface PointerSelectionOptions {
  readonly selection: Selection | null;
  /** The number of columns. */
  readonly columns: number;
  readonly onSelect: (selection: Selection) => void;
}

/** Selects cells with the pointer: a click, a click with the shift key, or a move from one cell to another. */
export function usePointerSelection({ selection, columns, onSelect }: PointerSelectionOptions) {
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
