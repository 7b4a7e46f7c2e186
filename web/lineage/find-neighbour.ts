import type { Box, GraphLayout } from './lay-out.ts';

const AXES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The node to which an arrow key moves from a node: to the left the nearest one that it reads, to the right the nearest one
 * that reads it, otherwise the nearest one in that direction. Null for other keys, and at the border.
 */
export function findNeighbour({ boxes, routes }: GraphLayout, id: string, key: string): string | null {
  const axis = AXES[key];
  const box = boxes.get(id);
  if (axis === undefined || box === undefined) return null;
  const linked = routes.flatMap(({ from, to }) => {
    if (axis[0] < 0 && to === id) return [from];
    return axis[0] > 0 && from === id ? [to] : [];
  });
  const others = linked.length > 0 ? linked : [...boxes.keys()].filter((other) => other !== id);
  let nearest: { readonly id: string; readonly distance: number } | null = null;
  for (const other of others) {
    const distance = measure(box, boxes.get(other), axis);
    if (distance !== null && (nearest === null || distance < nearest.distance))
      nearest = { id: other, distance };
  }
  return nearest?.id ?? null;
}

/** The distance to a box in a direction; sideways counts more, so that a move stays in its layer. Null behind. */
function measure(from: Box, to: Box | undefined, [x, y]: readonly [number, number]): number | null {
  if (to === undefined) return null;
  const [right, down] = [centre(to.x, to.width) - centre(from.x, from.width), to.y - from.y];
  const ahead = right * x + down * y;
  if (ahead <= 0) return null;
  return ahead + 8 * Math.abs(x === 0 ? right : down);
}

const centre = (start: number, size: number) => start + size / 2;
