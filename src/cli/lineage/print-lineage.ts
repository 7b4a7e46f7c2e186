import type { DescribedGraph, DescribedNode } from '../../engine/script/graph/describe.ts';

/** Each block or test with what it reads, one a line (docs/reference/build.md#lineage). */
export function printLineageText({ nodes, edges }: DescribedGraph): string {
  const reads = Map.groupBy(edges, ({ to }) => to);
  return nodes
    .map(({ id, target }) => {
      const read = reads.get(id) ?? [];
      const name = target === null ? id : `${id} (${target})`;
      return [name, ...read.map(({ from }) => `  reads ${from}`)].map((line) => `${line}\n`).join('');
    })
    .join('');
}

/** The nodes and edges as JSON. */
export function printLineageJson({ nodes, edges }: DescribedGraph): string {
  return `${JSON.stringify({ nodes: nodes.map(({ text: _, ...node }) => node), edges }, null, 2)}\n`;
}

/** How Mermaid draws each kind of node. */
const SHAPES: Readonly<Record<DescribedNode['kind'], readonly [string, string]>> = {
  block: ['(', ')'],
  target: ['[', ']'],
  test: ['{{', '}}'],
  check: ['{{', '}}'],
};

/** A flowchart in Mermaid's language. */
export function printMermaid({ nodes, edges }: DescribedGraph): string {
  const keys = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const drawn = nodes.map(({ id, kind }) => {
    const [open, close] = SHAPES[kind];
    return `  ${keys.get(id)}${open}"${id.replaceAll('"', '#quot;')}"${close}`;
  });
  const arrows = edges.map(({ from, to }) => `  ${keys.get(from)} --> ${keys.get(to)}`);
  return ['flowchart LR', ...drawn, ...arrows].map((line) => `${line}\n`).join('');
}
