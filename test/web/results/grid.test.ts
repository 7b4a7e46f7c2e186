import { describe, expect, it } from 'vitest';
import {
  findColumnRange,
  findRowWindow,
  findScrollLeft,
  findScrollTop,
  keepPlace,
  layOutColumns,
  measureRows,
  ROW_HEIGHT,
} from '../../../web/components/results/grid/grid-layout.ts';
import {
  moveSelection,
  type Selection,
  selectCell,
  toRange,
} from '../../../web/components/results/grid/selection.ts';

const VIEW = 560;

describe('the rows of the grid', () => {
  it.each([0, 5, 1_000, 571_000, 1_000_000])('%i of them are drawn from the first to the last', (count) => {
    expect(findRowWindow(count, 0, VIEW).start).toBe(0);
    const end = Math.max(0, measureRows(count) - VIEW);
    const last = findRowWindow(count, end, VIEW);
    expect(last.end).toBe(count);
    expect(last.end - last.start).toBeLessThanOrEqual(VIEW / ROW_HEIGHT + 14);
    // The last row ends where the scrolled content ends.
    if (count > 100) expect(last.top + (count - last.start) * ROW_HEIGHT).toBeCloseTo(end + VIEW, 3);
  });

  it.each([1_000, 1_000_000])('of %i, each can be scrolled into view', (count) => {
    for (const row of [0, 1, 500, Math.floor(count / 2), count - 1]) {
      const top = findScrollTop(count, row, 0, VIEW);
      const { start, end, top: first } = findRowWindow(count, top, VIEW);
      expect(row).toBeGreaterThanOrEqual(start);
      expect(row).toBeLessThan(end);
      const place = first + (row - start) * ROW_HEIGHT - top;
      expect(place).toBeGreaterThan(-0.01);
      expect(place + ROW_HEIGHT).toBeLessThan(VIEW + 0.01);
    }
  });

  it.each([
    [500_000, 600_000],
    [600_000, 1_000_000],
    [1_000, 2_000],
  ])('stay where they are when %i become %i', (before, after) => {
    for (const row of [0, 10, before >> 1, before - 100]) {
      const top = findScrollTop(before, row, 0, VIEW);
      const kept = keepPlace(before, after, top, VIEW);
      const find = (count: number, at: number) => {
        const window = findRowWindow(count, at, VIEW);
        return window.top - at + (row - window.start) * ROW_HEIGHT;
      };
      expect(find(after, kept)).toBeCloseTo(find(before, top), 3);
    }
  });

  it('do not scroll for a visible row', () => {
    expect(findScrollTop(1_000, 12, 280, VIEW)).toBe(280);
  });
});

describe('the columns of the grid', () => {
  const layout = layOutColumns(Array(5_000).fill(100), 50, 2);

  it('are drawn where they are visible, besides the pinned ones', () => {
    expect(findColumnRange(layout, 0, 800)).toEqual({ start: 2, end: 8 });
    expect(findColumnRange(layout, 1_000, 800)).toEqual({ start: 12, end: 18 });
    expect(findColumnRange(layout, 499_250, 800)).toEqual({ start: 4_994, end: 5_000 });
    expect(findColumnRange(layOutColumns([], 50, 0), 0, 800)).toEqual({ start: 0, end: 0 });
  });

  it('can be scrolled into view, next to the pinned ones', () => {
    expect(findScrollLeft(layout, 1, 700, 800)).toBe(700);
    expect(findScrollLeft(layout, 2, 700, 800)).toBe(0);
    expect(findScrollLeft(layout, 4_999, 0, 800)).toBe(499_250);
    expect(findScrollLeft(layout, 3, 50, 800)).toBe(50);
  });
});

describe('the keys of the grid', () => {
  const size = { rows: 100, columns: 10, page: 20 };
  const press = (from: Selection, key: string, ...modifiers: readonly string[]) =>
    moveSelection(
      from,
      {
        key,
        ctrlKey: modifiers.includes('ctrl'),
        metaKey: modifiers.includes('meta'),
        shiftKey: modifiers.includes('shift'),
      },
      size,
    );
  const at = (row: number, column: number) => selectCell(row, column);

  it.each([
    ['ArrowDown', [], [6, 5]],
    ['ArrowUp', [], [4, 5]],
    ['ArrowLeft', [], [5, 4]],
    ['ArrowRight', [], [5, 6]],
    ['PageDown', [], [25, 5]],
    ['PageUp', [], [0, 5]],
    ['Home', [], [5, 0]],
    ['End', [], [5, 9]],
    ['Home', ['ctrl'], [0, 0]],
    ['End', ['ctrl'], [99, 9]],
    ['ArrowDown', ['meta'], [99, 5]],
  ] as const)('%s %s goes to %s', (key, modifiers, [row, column]) => {
    expect(press(at(5, 5), key, ...modifiers)).toEqual(at(row, column));
  });

  it('reach the header, and stop at the edges', () => {
    expect(press(at(0, 0), 'ArrowUp')).toEqual(at(-1, 0));
    expect(press(at(-1, 0), 'ArrowUp')).toEqual(at(-1, 0));
    expect(press(at(-1, 9), 'ArrowRight')).toEqual(at(-1, 9));
    expect(press(at(99, 9), 'ArrowDown')).toEqual(at(99, 9));
    expect(press(at(5, 5), 'x')).toBeNull();
  });

  it('extend the selection with the shift key, but not to the header', () => {
    const extended = press(at(1, 5), 'ArrowUp', 'shift');
    expect(extended).toEqual({ anchor: { row: 1, column: 5 }, active: { row: 0, column: 5 } });
    expect(press(extended ?? at(0, 0), 'ArrowUp', 'shift')).toEqual(extended);
  });

  it('select everything', () => {
    const all = press(at(3, 3), 'a', 'ctrl');
    expect(all && toRange(all)).toEqual({ top: 0, bottom: 99, left: 0, right: 9 });
  });
});
