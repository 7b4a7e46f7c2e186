import type { DescribedGraph, DescribedNode } from '../../engine/script/graph/describe.ts';

/** A block or test with its neighbours. */
export interface LineageNode extends DescribedNode {
  readonly packageName: string;
  /** Its name without the package. */
  readonly name: string;
  readonly reads: readonly LineageNode[];
  readonly readers: readonly LineageNode[];
}

/** The blocks and tests with their neighbours, in the order of the graph. */
export function listLineage({ nodes, edges }: DescribedGraph): readonly LineageNode[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const described = new Map(
    nodes.map((node) => {
      const reads: LineageNode[] = [];
      const readers: LineageNode[] = [];
      return [node.id, { ...node, ...splitId(node.id, ids), reads, readers }] as const;
    }),
  );
  for (const { from, to } of edges) {
    const [read, reader] = [described.get(from), described.get(to)];
    if (read === undefined || reader === undefined) continue;
    reader.reads.push(read);
    read.readers.push(reader);
  }
  return [...described.values()];
}

/** The package and the name of an id: a check `package.Orders.unique(id)` has the package of its block. */
function splitId(id: string, ids: ReadonlySet<string>): { packageName: string; name: string } {
  const end = id.includes('(') ? id.indexOf('(') : id.length;
  const dot = id.lastIndexOf('.', end);
  const owner = id.slice(0, Math.max(0, dot));
  const packageName = ids.has(owner) ? owner.slice(0, Math.max(0, owner.lastIndexOf('.'))) : owner;
  return { packageName, name: packageName === '' ? id : id.slice(packageName.length + 1) };
}

/** What all packages are in, such as `acme.io/shop`; empty if nothing is. */
export function findCommonPackage(nodes: readonly LineageNode[]): string {
  const paths = nodes.map(({ packageName }) => packageName.split('/'));
  const [first = [], ...others] = paths;
  const differs = first.findIndex((part, depth) => others.some((path) => path[depth] !== part));
  return (differs === -1 ? first : first.slice(0, differs)).join('/');
}
