import { Loader, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogItem, folderSizeQuery, isFolder } from '../../../api/catalog/catalog.ts';
import { deleteItem } from '../../../api/catalog/catalog-changes.ts';
import { ApiError } from '../../../api/request.ts';
import { useSession } from '../../../api/use-session.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { ItemName } from '../item/item-name.tsx';
import { printCounted, printFolderSize } from '../view/print-size.ts';
import { ChangeError } from './change-error.tsx';

/** A folder with more items below it is deleted only by its name; more items only by their number. */
export const MAX_UNNAMED = 100;

interface DeleteDialogProps {
  readonly opened: CatalogItem;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for confirmation, and says what is lost, before an item is deleted. */
export function DeleteDialog({ opened, onClose, onDone }: DeleteDialogProps) {
  const client = useQueryClient();
  const [item, setItem] = useState(opened);
  const deletion = useMutation({ mutationFn: () => deleteItem(client, item), onSuccess: onDone });
  const folder = isFolder(opened.type);
  const { days_in_bin } = useSession();
  const { data: size } = useQuery({ ...folderSizeQuery(opened.path), staleTime: 0, enabled: folder });
  const isLarge = size !== undefined && (!size.is_complete || size.folders + size.scripts > MAX_UNNAMED);
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={folder ? 'Delete this folder?' : 'Delete this script?'}
      submitLabel={folder ? 'Delete folder' : 'Delete script'}
      onSubmit={deletion.mutate}
      onClose={onClose}
      isPending={deletion.isPending}
      isDisabled={isLarge && name !== opened.name}
      isDangerous
    >
      <Text component="div">
        This deletes{' '}
        <Text span fw={600}>
          <ItemName name={opened.path} isWrapped />
        </Text>
        {folder ? <Loss path={opened.path} /> : '. Scripts that import it stop working.'}{' '}
        {days_in_bin > 0
          ? `The bin keeps it for ${printCounted(days_in_bin, 'day')}.`
          : 'You cannot undo this.'}
      </Text>
      {isLarge && (
        <TextInput
          label={`Type “${opened.name}” to delete so many items`}
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <ChangeError
        title="Nothing was deleted"
        error={deletion.error === null ? null : explain(deletion.error)}
        path={opened.path}
        onReload={(current) => {
          deletion.reset();
          setItem(current);
        }}
      />
    </FormDialog>
  );
}

/** The end of a sentence about the content of the folder. */
function Loss({ path }: { readonly path: string }) {
  const { data, error } = useQuery({ ...folderSizeQuery(path), staleTime: 0 });
  if (error !== null) return ' and everything in it.';
  if (data === undefined) {
    return (
      <>
        {' '}
        and everything in it: <Loader size="xs" type="dots" aria-label="Counting the items" />
      </>
    );
  }
  if (data.folders + data.scripts === 0) return ', which is empty.';
  return ` and everything in it: ${printFolderSize(data)}.`;
}

/** Only items that the person may not see can be left in the folder. */
function explain(error: Error): Error {
  if (!(error instanceof ApiError) || error.message !== 'Folder is not empty') return error;
  return new ApiError(
    error.status,
    'The folder contains items that you may not see. Nothing in it was deleted.',
  );
}
