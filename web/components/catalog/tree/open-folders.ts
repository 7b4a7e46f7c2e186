import { useCallback, useEffect, useMemo, useState } from 'react';
import { isAtOrBelow, listAncestors } from '../../../api/catalog/catalog-paths.ts';

/** The paths of the open folders of a tree. */
export interface OpenFolders {
  readonly paths: ReadonlySet<string>;
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
  /** Replaces the path of a folder, and of those below it, after a change; null forgets them. */
  readonly move: (from: string, to: string | null) => void;
}

/** Keeps the open folders of a tree; at first those around an item. */
export function useOpenFolders(initial: () => Iterable<string>): OpenFolders {
  const [paths, setPaths] = useState<ReadonlySet<string>>(() => new Set(initial()));
  const open = useCallback((path: string) => setPaths((before) => new Set(before).add(path)), []);
  const close = useCallback(
    (path: string) => setPaths((before) => new Set([...before].filter((other) => other !== path))),
    [],
  );
  const move = useCallback((from: string, to: string | null) => {
    setPaths((before) => new Set([...before].flatMap((path) => movePath(path, from, to))));
  }, []);
  return useMemo(() => ({ paths, open, close, move }), [paths, open, close, move]);
}

/** Like `useOpenFolders`, kept for this browser tab; opens the folders around the shown item. */
export function useKeptFolders(userName: string, selected: string): OpenFolders {
  const key = `catalog-open:${userName}`;
  const folders = useOpenFolders(() => readPaths(key));
  const { paths, open } = folders;
  useEffect(() => sessionStorage.setItem(key, JSON.stringify([...paths])), [key, paths]);
  useEffect(() => {
    for (const ancestor of listAncestors(selected)) open(ancestor);
  }, [selected, open]);
  return folders;
}

function readPaths(key: string): readonly string[] {
  const text = sessionStorage.getItem(key);
  const value: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
}

function movePath(path: string, from: string, to: string | null): readonly string[] {
  if (!isAtOrBelow(path, from)) return [path];
  return to === null ? [] : [to + path.slice(from.length)];
}
