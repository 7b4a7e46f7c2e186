import { Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogItem, Entry } from '../../../api/catalog/catalog.ts';
import { type Change, changeItem } from '../../../api/catalog/catalog-changes.ts';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { FolderPicker, useMayChange } from '../tree/folder-picker.tsx';
import { ChangeError } from './change-error.tsx';

interface EditDialogProps {
  /** The item as it was when the dialog opened. */
  readonly opened: CatalogItem;
  readonly onClose: () => void;
  readonly onDone: (changed: Entry) => void;
}

/** Renames an item. */
export function RenameDialog({ opened, onClose, onDone }: EditDialogProps) {
  const { item, isPending, error, submit, setItem } = useChange(opened, onDone);
  const [name, setName] = useState(opened.name);
  return (
    <FormDialog
      title="Rename"
      submitLabel="Rename"
      onSubmit={() => submit({ name })}
      onClose={onClose}
      isPending={isPending}
      isDirty={name !== opened.name}
      isDisabled={name === item.name}
    >
      <TextInput
        label="New name"
        description="Scripts that import this item, and programs that run it, need the new path."
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <ChangeError title="The item was not renamed" error={error} path={item.path} onReload={setItem} />
    </FormDialog>
  );
}

/** Changes the description of an item. */
export function DescribeDialog({ opened, onClose, onDone }: EditDialogProps) {
  const { item, isPending, error, submit, setItem } = useChange(opened, onDone);
  const [description, setDescription] = useState(opened.description);
  return (
    <FormDialog
      title={`Description of ${opened.name}`}
      submitLabel="Save"
      onSubmit={() => submit({ description })}
      onClose={onClose}
      isPending={isPending}
      isDirty={description !== opened.description}
      isDisabled={description === item.description}
    >
      <Textarea
        label="Description"
        rows={5}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        data-autofocus
      />
      <ChangeError title="The description was not saved" error={error} path={item.path} onReload={setItem} />
    </FormDialog>
  );
}

/** Moves an item to another folder. */
export function MoveDialog({ opened, onClose, onDone }: EditDialogProps) {
  const { item, isPending, error, submit, setItem } = useChange(opened, onDone);
  const parent = getParentPath(opened.path);
  const [folder, setFolder] = useState(parent);
  const mayChange = useMayChange(folder);
  return (
    <FormDialog
      title={`Move ${opened.name}`}
      submitLabel="Move"
      onSubmit={() => submit({ parent_path: folder })}
      onClose={onClose}
      isPending={isPending}
      isDisabled={folder === parent || !mayChange}
    >
      <FolderPicker label="To the folder" value={folder} onChange={setFolder} without={opened.path} />
      <ChangeError title="The item was not moved" error={error} path={item.path} onReload={setItem} />
    </FormDialog>
  );
}

/** The change of an item in the revision that the person has seen. */
interface ItemChange {
  /** The item as the dialog shows it. */
  readonly item: CatalogItem;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly submit: (change: Change) => void;
  /** Continues with another revision of the item. */
  readonly setItem: (item: CatalogItem) => void;
}

/** Changes an item; `item` stays as it was when the dialog opened, so that changes of others are noticed. */
function useChange(opened: CatalogItem, onDone: (changed: Entry) => void): ItemChange {
  const client = useQueryClient();
  const [item, setItem] = useState(opened);
  const change = useMutation({
    mutationFn: (change: Change) => changeItem(client, item, change),
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
