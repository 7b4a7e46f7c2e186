import { useState } from 'react';
import type { MatrixChange } from '../../../api/administration/permissions.ts';
import { useUnsaved } from '../../../api/unsaved.ts';

/** The changes that were chosen and not applied yet, one for each cell and restriction. */
export interface CollectedChanges {
  readonly list: readonly MatrixChange[];
  /** The change of a subject on a target; without a subject, that of the restriction. */
  readonly find: (target: string, subject?: string) => MatrixChange | undefined;
  /** Adds a change in place of an earlier one; with `isSame`, which says that it is granted already, it only removes the earlier one. */
  readonly put: (change: MatrixChange, isSame: boolean) => void;
  readonly clear: () => void;
}

const toKey = (target: string, subject = '') => `${subject} ${target}`;

/** Collects changes. The console asks before it discards them. */
export function useChanges(): CollectedChanges {
  const [changes, setChanges] = useState<ReadonlyMap<string, MatrixChange>>(new Map());
  useUnsaved(changes.size > 0);
  return {
    list: [...changes.values()],
    find: (target, subject) => changes.get(toKey(target, subject)),
    put: (change, isSame) => {
      const next = new Map(changes);
      const key = toKey(change.target, change.subject);
      if (isSame) next.delete(key);
      else next.set(key, change);
      setChanges(next);
    },
    clear: () => setChanges(new Map()),
  };
}
