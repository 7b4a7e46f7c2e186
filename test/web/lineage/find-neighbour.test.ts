import { describe, expect, it } from 'vitest';
import { findNeighbour } from '../../../web/lineage/find-neighbour.ts';
import { layOut } from '../../../web/lineage/lay-out.ts';

const layout = layOut(
  ['raw', 'orders', 'customers', 'mart', 'alone', 'single'].map((id) => ({ id, width: 100 })),
  [
    { from: 'raw', to: 'orders' },
    { from: 'raw', to: 'customers' },
    { from: 'orders', to: 'mart' },
  ],
);
const [upper, lower] = ['orders', 'customers'].toSorted(
  (one, other) => layout.boxes.get(one)!.y - layout.boxes.get(other)!.y,
);

describe('findNeighbour', () => {
  it('moves along the edges to the left and to the right', () => {
    expect(findNeighbour(layout, 'mart', 'ArrowLeft')).toBe('orders');
    expect(findNeighbour(layout, 'orders', 'ArrowLeft')).toBe('raw');
    expect(findNeighbour(layout, 'orders', 'ArrowRight')).toBe('mart');
  });

  it('moves up and down in a layer', () => {
    expect(findNeighbour(layout, upper!, 'ArrowDown')).toBe(lower);
    expect(findNeighbour(layout, lower!, 'ArrowUp')).toBe(upper);
  });

  it('moves to the nearest node where no edge leads', () => {
    expect(findNeighbour(layout, 'alone', 'ArrowRight')).toBe('single');
    expect(findNeighbour(layout, 'raw', 'ArrowDown')).not.toBeNull();
  });

  it('stays at the border, and for other keys and nodes', () => {
    expect(findNeighbour(layout, 'raw', 'ArrowLeft')).toBeNull();
    expect(findNeighbour(layout, 'raw', 'Enter')).toBeNull();
    expect(findNeighbour(layout, 'missing', 'ArrowLeft')).toBeNull();
  });
});
