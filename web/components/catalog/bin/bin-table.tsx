import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { BIN, reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  type BinSearch,
  type DeletedItem,
  deleteForever,
  loadBin,
  restoreDeleted,
} from '../../../api/catalog/catalog-bin.ts';
import { getName, getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { TrashIcon } from '../../icons.tsx';
import { Message } from '../../message-page.tsx';
import { notify } from '../../notify.ts';
import { DataTable, type ListColumn } from '../../table/data-table.tsx';
import { useList } from '../../table/use-list.ts';
import { TimeText } from '../../time-text.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { ItemName } from '../item/item-name.tsx';
import { printCount, printCounted, printSize } from '../view/print-size.ts';
import classes from './bin.module.css';

interface BinTableProps {
  readonly search: BinSearch;
  readonly onChange: (change: BinSearch, replace?: boolean) => void;
}

/** The deleted items that the user may restore, the newest first (docs/reference/bin.md). */
export function BinTable({ search, onChange }: BinTableProps) {
  const { q, item } = search;
  const list = useList({ key: BIN, load: loadBin, parameters: { q }, toAfter: ({ id }) => id });
  return (
    <div className={classes.table}>
      <DataTable
        label="Bin"
        unit={['item', 'items']}
        columns={COLUMNS}
        list={list}
        toId={({ id }) => id}
        toName={({ path }) => path}
        openId={item}
        onOpen={(id) => onChange({ item: id }, true)}
        search={{ q }}
        onSearch={(changed) => onChange({ q: changed.q }, true)}
        onClear={() => onChange({ q: undefined })}
        empty={
          <Message
            icon={<TrashIcon size={24} />}
            title="The bin is empty"
            text="What you delete in the catalog is kept here, and can be restored."
          />
        }
        renderActions={({ ids, clear }) => (
          <ActionsOfMany items={list.rows?.filter(({ id }) => ids.includes(id)) ?? []} onDone={clear} />
        )}
      />
    </div>
  );
}

interface ActionsProps {
  readonly items: readonly DeletedItem[];
  readonly onDone: () => void;
}

/** The actions for the selected items. */
function ActionsOfMany({ items, onDone }: ActionsProps) {
  const client = useQueryClient();
  const [asked, ask] = useState<'restore' | 'delete' | null>(null);
  const count = printCounted(items.length, 'item');
  const isRestoring = asked === 'restore';
  const close = () => {
    ask(null);
    void reloadCatalog(client);
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => ask('restore')}>
        Restore
      </Button>
      <Button size="xs" variant="default" onClick={() => ask('delete')}>
        Delete permanently
      </Button>
      {asked !== null && (
        <ConfirmDialog
          title={isRestoring ? `Restore ${count}?` : `Delete ${count} permanently?`}
          submitLabel={isRestoring ? 'Restore' : 'Delete permanently'}
          failure={isRestoring ? 'Not everything was restored' : 'Not everything was deleted'}
          isDangerous={!isRestoring}
          action={() => doAll(items, ({ id }) => (isRestoring ? restoreDeleted : deleteForever)(client, id))}
          onDone={() => {
            notify(`${isRestoring ? 'Restored' : 'Deleted'} ${count}`);
            onDone();
            close();
          }}
          onClose={close}
        >
          <Text>
            {isRestoring ? 'Each item goes back to the folder that had it.' : 'You cannot undo this.'}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Does something with each item, one after the other; rejects at the end if some have failed. */
async function doAll(
  items: readonly DeletedItem[],
  act: (item: DeletedItem) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [];
  // The newest first: a folder that was deleted after an item in it is restored before that item.
  for (const item of items) {
    const failure = await act(item).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (failure !== null) failures.push(`${item.path}: ${failure}`);
  }
  const [first] = failures;
  if (first === undefined) return;
  throw new Error(`${printCounted(failures.length, 'item')} of ${printCount(items.length)} failed. ${first}`);
}

const COLUMNS: readonly ListColumn<DeletedItem>[] = [
  { header: 'Name', render: (item) => <DeletedName item={item} /> },
  { header: 'Items', width: 90, isExtra: true, render: ({ items }) => printKnown(items, printCount) },
  { header: 'Size', width: 100, render: ({ bytes }) => printKnown(bytes, printSize) },
  {
    header: 'Deleted by',
    width: 130,
    isExtra: true,
    render: ({ deleted_by }) => <ItemName name={deleted_by} />,
  },
  {
    header: 'Deleted',
    width: 150,
    render: ({ deleted_at }) => <TimeText value={deleted_at} isRelative />,
  },
  {
    header: 'Kept until',
    width: 130,
    isExtra: true,
    render: ({ kept_until }) => <TimeText value={kept_until} />,
  },
];

/** A number that is null while the items are counted. */
export function printKnown(value: number | null, print: (value: number) => string): string {
  return value === null ? 'Counting…' : print(value);
}

function DeletedName({ item: { id, path, type } }: { readonly item: DeletedItem }) {
  return (
    <>
      <Link
        from="/catalog/bin"
        to="/catalog/bin"
        search={(before) => ({ ...before, item: id })}
        className={classes.name}
      >
        <ItemIcon type={type} />
        <ItemName name={getName(path)} />
      </Link>
      <Text size="xs" c="dimmed" truncate className={classes.folder}>
        <ItemName name={getParentPath(path)} />
      </Text>
    </>
  );
}
