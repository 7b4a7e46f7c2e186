import type { DescribedGraph } from '../../engine/script/graph/describe.ts';

/** A page with the graph, which loads nothing (docs/reference/build.md#lineage). */
export function printLineagePage(graph: DescribedGraph): string {
  return JSON.stringify(graph);
}
