import { at, groupLinks, type Link } from './layers.ts';

const PASSES = 8;

/**
 * The vertical centre of each node: near the mean of its neighbours, in the order of its layer, with `gap` pixels between
 * nodes. The top of the highest node is at 0.
 */
export function placeLayers(
  layers: readonly (readonly number[])[],
  heights: readonly number[],
  links: readonly Link[],
  gap: number,
): readonly number[] {
  const before = groupLinks(heights.length, links, ({ to }) => to);
  const after = groupLinks(heights.length, links, ({ from }) => from);
  const centres = new Array<number>(heights.length).fill(0);
  for (const layer of layers) {
    const offsets = stack(layer, heights, gap);
    const middle = (offsets.at(-1) ?? 0) / 2;
    layer.forEach((node, index) => {
      centres[node] = at(offsets, index) - middle;
    });
  }
  for (let pass = 0; pass < PASSES; pass += 1) {
    const isForward = pass % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      const wanted = layer.map((node) => {
        const around = isForward
          ? at(before, node).map(({ from }) => at(centres, from))
          : at(after, node).map(({ to }) => at(centres, to));
        return around.length === 0
          ? at(centres, node)
          : around.reduce((sum, centre) => sum + centre, 0) / around.length;
      });
      const offsets = stack(layer, heights, gap);
      fitIncreasing(wanted.map((centre, index) => centre - at(offsets, index))).forEach((start, index) => {
        centres[at(layer, index)] = start + at(offsets, index);
      });
    }
  }
  const top = centres.reduce(
    (least, centre, node) => Math.min(least, centre - at(heights, node) / 2),
    Infinity,
  );
  return centres.map((centre) => centre - (Number.isFinite(top) ? top : 0));
}

/** The centres of the nodes of a layer that are stacked from the centre of the first one. */
function stack(layer: readonly number[], heights: readonly number[], gap: number): readonly number[] {
  const offsets: number[] = [];
  layer.forEach((node, index) => {
    const last = layer[index - 1];
    const step = last === undefined ? 0 : (at(heights, last) + at(heights, node)) / 2 + gap;
    offsets.push((offsets.at(-1) ?? 0) + step);
  });
  return offsets;
}

/** The numbers that never decrease and differ least from the wanted ones (pool adjacent violators). */
function fitIncreasing(wanted: readonly number[]): readonly number[] {
  const pools: { sum: number; size: number }[] = [];
  for (const value of wanted) {
    let pool = { sum: value, size: 1 };
    for (let last = pools.at(-1); last !== undefined; last = pools.at(-1)) {
      if (last.sum / last.size <= pool.sum / pool.size) break;
      pool = { sum: last.sum + pool.sum, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, size }) => new Array<number>(size).fill(sum / size));
}
