import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { ResultSource } from '../source/result-source.ts';
import { type SideCell, useSide } from './use-side.ts';

/** The pause after which the address has the cell, in milliseconds: browsers limit how often it may change. */
const PAUSE_MS = 250;

/** The cell that the panel describes, within the rows that have arrived, and a function that moves to another one. */
export function useSideCell({
  rowCount,
  columns,
}: ResultSource): readonly [SideCell, (cell: SideCell) => void] {
  const { part, cell: addressed, follow } = useSide();
  const [cell, setCell] = useState<SideCell>(addressed ?? { row: 0, column: 0 });
  const written = useRef(addressed);
  const [row, column] = [addressed?.row, addressed?.column];
  useEffect(() => {
    if (row === undefined || column === undefined) return;
    const last = written.current;
    if (last?.row === row && last.column === column) return;
    // The way back or forward has led to another cell.
    written.current = { row, column };
    setCell({ row, column });
  }, [row, column]);
  const followSoon = useDebouncedCallback((next: SideCell) => {
    written.current = next;
    follow(next);
  }, PAUSE_MS);
  const move = (next: SideCell) => {
    setCell(next);
    if (part !== null) followSoon(next);
  };
  const limit = (index: number, count: number) => Math.max(0, Math.min(index, count - 1));
  return [{ row: limit(cell.row, rowCount), column: limit(cell.column, columns.length) }, move];
}
