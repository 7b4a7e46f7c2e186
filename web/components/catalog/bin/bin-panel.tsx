import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  type DeletedItem,
  deletedItemQuery,
  deleteForever,
  restoreDeleted,
} from '../../../api/catalog/catalog-bin.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { TrashIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { Message } from '../../message-page.tsx';
import { notify } from '../../notify.ts';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { ITEM_KIND_NAMES } from '../item/item-kinds.ts';
import { ItemName } from '../item/item-name.tsx';
import { printCount, printSize } from '../view/print-size.ts';
import { printKnown } from './bin-table.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

interface BinPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A deleted item, and what can be done with it. */
export function BinPanel({ id, onClose }: BinPanelProps) {
  const { data: item, error, refetch } = useQuery(deletedItemQuery(id));
  return (
    <SidePanel title={item ? getName(item.path) : 'Deleted item'} onClose={onClose}>
      {item === undefined && error === null && (
        <SkeletonRows label="Loading the item" count={4} height={28} />
      )}
      {item === undefined && error !== null && (
        <LoadError title="The item cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {item === null && (
        <Message
          icon={<TrashIcon size={24} />}
          title="Not in the bin"
          text="The item was restored or deleted permanently, or you may not see it."
        />
      )}
      {item && <Details key={item.id} item={item} onClose={onClose} />}
    </SidePanel>
  );
}

function Details({ item, onClose }: { readonly item: DeletedItem; readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, ask] = useState<'place' | 'delete' | null>(null);
  const finish = (message: string) => {
    notify(message);
    onClose();
    void reloadCatalog(client);
  };
  const show = ({ path }: { readonly path: string }) => {
    notify(`Restored ${getName(path)}`);
    void navigate({ to: '/catalog/$', params: { _splat: path }, search: {} });
    void reloadCatalog(client);
  };
  const restoring = useMutation({ mutationFn: () => restoreDeleted(client, item.id), onSuccess: show });
  return (
    <Stack>
      <Facts facts={toFacts(item)} columns={1} />
      {restoring.error !== null && <ErrorAlert title="The item was not restored" error={restoring.error} />}
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={() => ask('delete')}>
          Delete…
        </Button>
        <Button size="xs" variant="default" onClick={() => ask('place')}>
          Restore elsewhere…
        </Button>
        <Button size="xs" loading={restoring.isPending} onClick={() => restoring.mutate()}>
          Restore
        </Button>
      </Group>
      {asked === 'place' && <RestoreDialog item={item} onDone={show} onClose={() => ask(null)} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete permanently?"
          submitLabel="Delete permanently"
          failure="The item was not deleted"
          action={() => deleteForever(client, item.id)}
          onDone={() => finish(`Deleted ${getName(item.path)} permanently`)}
          onClose={() => ask(null)}
        >
          <Text component="div">
            This deletes{' '}
            <Text span fw={600}>
              <ItemName name={item.path} isWrapped />
            </Text>{' '}
            with its history and everything in it. You cannot undo this.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function toFacts({ path, type, items, bytes, deleted_at, deleted_by, kept_until }: DeletedItem) {
  return {
    Path: <ItemName name={path} isWrapped />,
    Kind: ITEM_KIND_NAMES[type],
    Items: printKnown(items, printCount),
    'Size with history': printKnown(bytes, printSize),
    Deleted: <TimeText value={deleted_at} withTime />,
    'Deleted by': <ItemName name={deleted_by} />,
    'Kept until': <TimeText value={kept_until} withTime />,
  };
}
