import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { childrenQuery, type Entry, type placesQuery } from '../../../api/catalog/catalog.ts';
import { listAncestors } from '../../../api/catalog/catalog-paths.ts';
import { ApiError } from '../../../api/request.ts';
import type { OpenFolders } from './open-folders.ts';
import { type Children, listRows, type TreeRow } from './tree-rows.ts';

/**
 * The rows of the open folders, with the items that `isShown` accepts, and a function that loads a folder again. `query`
 * loads the items of a folder.
 */
export function useTreeRows(
  { paths, close }: OpenFolders,
  isShown = isAny,
  query: typeof childrenQuery | typeof placesQuery = childrenQuery,
): {
  readonly rows: readonly TreeRow[];
  readonly reload: (path: string) => void;
} {
  const loaded = useMemo(() => {
    const isVisible = (path: string) => listAncestors(path).every((ancestor) => paths.has(ancestor));
    return ['', ...[...paths].filter(isVisible)];
  }, [paths]);
  const results = useQueries({ queries: loaded.map(query), combine: keepResults });
  const rows = useMemo(() => {
    const children = new Map<string, Children>();
    for (const [at, path] of loaded.entries()) {
      const result = results[at];
      if (result !== undefined) children.set(path, { ...result, data: result.data?.filter(isShown) });
    }
    return listRows(
      (path) => paths.has(path),
      (path) => children.get(path),
    );
  }, [loaded, paths, results, isShown]);
  useEffect(() => {
    for (const [at, { error }] of results.entries()) {
      const path = loaded[at];
      if (path !== undefined && error instanceof ApiError && error.status === 404) close(path);
    }
  }, [loaded, results, close]);
  return { rows, reload: (path) => void results[loaded.indexOf(path)]?.refetch() };
}

interface LoadedChildren extends Children {
  readonly refetch: () => Promise<unknown>;
}

function keepResults(results: readonly LoadedChildren[]): readonly LoadedChildren[] {
  return results.map(({ data, error, refetch }) => ({ data, error, refetch }));
}

function isAny(_entry: Entry): boolean {
  return true;
}
