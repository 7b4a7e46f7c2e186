import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entry, Item } from '../../../api/catalog/catalog.ts';
import { type Change, changeItem } from '../../../api/catalog/catalog-changes.ts';

/** The change of an item in the revision that the person has seen. */
export interface ItemChange {
  /** The item as the dialog shows it. */
  readonly item: Item;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly submit: (change: Change) => void;
  /** Continues with another revision of the item. */
  readonly setItem: (item: Item) => void;
}

/** Changes an item; `item` stays as it was when the dialog opened, so that changes of others are noticed. */
export function useChange(opened: Item, onDone: (changed: Entry) => void): ItemChange {
  const client = useQueryClient();
  const [item, setItem] = useState(opened);
  const change = useMutation({
    mutationFn: (given: Change) => changeItem(client, item, given),
    onSuccess: onDone,
  });
  return {
    item,
    isPending: change.isPending,
    error: change.error,
    submit: change.mutate,
    setItem: (current) => {
      change.reset();
      setItem(current);
    },
  };
}
