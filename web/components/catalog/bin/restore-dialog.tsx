import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entry } from '../../../api/catalog/catalog.ts';
import { type DeletedItem, restoreDeleted } from '../../../api/catalog/catalog-bin.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { EditError } from '../dialogs/edit-error.tsx';
import { FolderPicker } from '../tree/folder-picker.tsx';

interface RestoreDialogProps {
  readonly item: DeletedItem;
  readonly onDone: (restored: Entry) => void;
  readonly onClose: () => void;
}

/** Restores an item in another folder, or with another name. */
export function RestoreDialog({ item, onDone, onClose }: RestoreDialogProps) {
  const client = useQueryClient();
  const [namespace = ''] = item.path.split('/');
  const [folder, setFolder] = useState(namespace);
  const [name, setName] = useState(getName(item.path));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => restoreDeleted(client, item.id, { parent_path: folder, name }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={`Restore ${getName(item.path)}`}
      submitLabel="Restore"
      onSubmit={() => mutate()}
      onClose={onClose}
      isPending={isPending}
      isDisabled={folder === '' || name === ''}
    >
      <FolderPicker label="In the folder" value={folder} onChange={setFolder} />
      <TextInput
        label="Name"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {error !== null && <EditError title="The item was not restored" error={error} path={folder} />}
    </FormDialog>
  );
}
