import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Entry } from '../../../api/catalog/catalog.ts';
import { copyItem } from '../../../api/catalog/catalog-copy.ts';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { FolderPicker, useMayChange } from '../tree/folder-picker.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { useTransfer } from './use-transfer.ts';

interface CopyDialogProps {
  readonly entry: Entry;
  readonly onClose: () => void;
}

/** Copies an item, a folder with everything in it. */
export function CopyDialog({ entry, onClose }: CopyDialogProps) {
  const client = useQueryClient();
  const { transfer, run, cancel } = useTransfer();
  const [folder, setFolder] = useState(getParentPath(entry.path));
  const [name, setName] = useState(`${entry.name} copy`);
  const mayChange = useMayChange(folder);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run((reporter) => copyItem(client, entry, { folder, name }, reporter));
  };
  return (
    <TransferDialog
      title={`Copy ${entry.name}`}
      verb="copied"
      transfer={transfer}
      onCancel={cancel}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name of the copy"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <FolderPicker label="To the folder" value={folder} onChange={setFolder} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!mayChange}>
              Copy
            </Button>
          </Group>
        </Stack>
      </form>
    </TransferDialog>
  );
}
