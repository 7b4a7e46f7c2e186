import type { PageNode } from './read-lineage.ts';

/** What a search finds, and the node whose name matches best, else the first one; null if nothing matches. */
export interface FoundNodes {
  readonly ids: ReadonlySet<string>;
  readonly best: string | null;
}

/** Creates a search for nodes whose name, tags, description and SQL contain each of the words. */
export function createSearch(nodes: Iterable<Pick<PageNode, 'id' | 'name' | 'details'>>) {
  const all = [...nodes];
  let texts: ReadonlyMap<string, string> | undefined;
  return (query: string): FoundNodes => {
    texts ??= new Map(all.map(({ id, details }) => [id, readText(details)]));
    const known = texts;
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const contains = (text: string) => words.every((word) => text.includes(word));
    const found = all.filter(({ id }) => contains(known.get(id) ?? ''));
    return { ids: new Set(found.map(({ id }) => id)), best: findBest(found, words.join(' ')) };
  };
}

function findBest(found: readonly Pick<PageNode, 'id' | 'name'>[], query: string): string | null {
  const named = found.map(({ id, name }) => ({ id, name: name.toLowerCase() }));
  const best =
    named.find(({ name }) => name === query) ??
    named.find(({ name }) => name.startsWith(query)) ??
    named.find(({ name }) => name.includes(query)) ??
    named[0];
  return best?.id ?? null;
}

/** Without the names of neighbours. */
function readText(details: HTMLElement): string {
  const parts = details.querySelectorAll('h2, dd, .doc, pre');
  return [...parts]
    .map((part) => part.textContent)
    .join('\n')
    .toLowerCase();
}
