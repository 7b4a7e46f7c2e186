import { useCallback, useEffect, useState } from 'react';
import { listAncestors } from '../../../api/catalog-paths.ts';

/** The paths of the open folders of the tree. */
export interface OpenFolders {
  readonly paths: ReadonlySet<string>;
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
}

/** Keeps the open folders of a user for this browser tab; opens the folders around the selected item. */
export function useOpenFolders(userName: string, selected: string): OpenFolders {
  const key = `catalog-open:${userName}`;
  const [paths, setPaths] = useState<ReadonlySet<string>>(() => readPaths(key));
  const change = useCallback((update: (paths: Set<string>) => void) => {
    setPaths((before) => {
      const after = new Set(before);
      update(after);
      return after;
    });
  }, []);
  useEffect(() => sessionStorage.setItem(key, JSON.stringify([...paths])), [key, paths]);
  useEffect(() => {
    change((after) => {
      for (const ancestor of listAncestors(selected)) after.add(ancestor);
    });
  }, [selected, change]);
  return {
    paths,
    open: useCallback((path) => change((after) => after.add(path)), [change]),
    close: useCallback((path) => change((after) => after.delete(path)), [change]),
  };
}

function readPaths(key: string): ReadonlySet<string> {
  const text = sessionStorage.getItem(key);
  const value: unknown = text === null ? [] : JSON.parse(text);
  return new Set(Array.isArray(value) ? value.filter((path) => typeof path === 'string') : []);
}
