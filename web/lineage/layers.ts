/** An edge between two nodes, by their indices. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/**
 * The layer of each node, from 0: one more than the last layer of what it reads (longest path). A node that reads nothing
 * is next to the first node that reads it, so that its edges are short. Edges that close a cycle are not followed.
 */
export function assignLayers(count: number, links: readonly Link[]): readonly number[] {
  const readers = groupLinks(count, links, ({ from }) => from);
  const order = sortNodes(count, links, readers);
  const rank = new Array<number>(count).fill(0);
  order.forEach((node, at) => {
    rank[node] = at;
  });
  const forward = links.filter(({ from, to }) => at(rank, from) < at(rank, to));
  const following = groupLinks(count, forward, ({ from }) => from);
  const layers = new Array<number>(count).fill(0);
  for (const node of order) {
    for (const { to } of at(following, node)) layers[to] = Math.max(at(layers, to), at(layers, node) + 1);
  }
  const reading = new Set(forward.map(({ to }) => to));
  for (const node of order) {
    const next = at(following, node).map(({ to }) => at(layers, to));
    if (!reading.has(node) && next.length > 0) layers[node] = next.reduce((a, b) => Math.min(a, b)) - 1;
  }
  return layers;
}

/** The nodes, each after those that it reads; of a cycle, the first node comes first. */
function sortNodes(count: number, links: readonly Link[], readers: readonly (readonly Link[])[]): number[] {
  const waitingFor = new Array<number>(count).fill(0);
  for (const { to } of links) waitingFor[to] = at(waitingFor, to) + 1;
  const order: number[] = [];
  const isPlaced = new Array<boolean>(count).fill(false);
  const place = (start: number) => {
    const ready = [start];
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      if (isPlaced[node]) continue;
      isPlaced[node] = true;
      order.push(node);
      for (const { to } of at(readers, node)) {
        waitingFor[to] = at(waitingFor, to) - 1;
        if (waitingFor[to] === 0) ready.push(to);
      }
    }
  };
  const all = Array.from({ length: count }, (_, node) => node);
  for (const node of all.filter((each) => waitingFor[each] === 0)) place(node);
  for (const node of all) place(node);
  return order;
}

/** The links of each node. */
export function groupLinks(
  count: number,
  links: readonly Link[],
  choose: (link: Link) => number,
): readonly (readonly Link[])[] {
  const groups = Array.from({ length: count }, (): Link[] => []);
  for (const link of links) at(groups, choose(link)).push(link);
  return groups;
}

/** The element at an index that exists. */
export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`no element ${index} of ${items.length}`);
  return item;
}
