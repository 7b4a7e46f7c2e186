import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isAtLeast, levelQuery, reloadCatalog } from '../../../api/catalog/catalog.ts';
import { type ChangedItem, changeItems } from '../../../api/catalog/catalog-many.ts';
import { getName, getParentPath, isAtOrBelow } from '../../../api/catalog/catalog-paths.ts';
import type { Outcome } from '../../../api/catalog/transfer.ts';
import { notify, notifyFailure } from '../../notify.ts';
import { useCatalog } from '../catalog-context.ts';
import { createUndoOfMove } from '../many/undo-many.ts';
import type { OnDrop } from './use-row-drag.ts';

/** Moves an item that was dropped on a folder, if the user may change this folder; a message says what was done. */
export function useItemDrop(selected: string): OnDrop {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { folders } = useCatalog();
  const move = async (path: string, folder: string) => {
    const outcomes: Outcome[] = [];
    const changed: ChangedItem[] = [];
    const { level } = await client.fetchQuery({ ...levelQuery(folder), staleTime: 0 });
    if (!isAtLeast(level, 'EDIT')) throw new Error(`you may not change ${folder}`);
    const { signal } = new AbortController();
    const reporter = {
      signal,
      setTotal: () => {},
      begin: () => {},
      end: (one: Outcome) => outcomes.push(one),
    };
    await changeItems(client, [path], { parent_path: folder }, reporter, (items) => changed.push(...items));
    const to = changed[0]?.new_path ?? null;
    if (to === null) throw new Error(outcomes[0]?.message ?? 'the server has not moved it');
    notify(`Moved ${getName(path)} to ${folder}`, createUndoOfMove(client, changed, getParentPath(path)));
    folders.move(path, to);
    if (isAtOrBelow(selected, path)) {
      const splat = to + selected.slice(path.length);
      await navigate({ to: '/catalog/$', params: { _splat: splat }, search: {}, replace: true });
    }
    await reloadCatalog(client);
  };
  return (path, folder) => {
    if (getParentPath(path) === folder || isAtOrBelow(folder, path)) return;
    move(path, folder).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      notifyFailure(`${getName(path)} was not moved: ${reason}`);
    });
  };
}
