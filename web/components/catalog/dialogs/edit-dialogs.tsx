import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Entry, Item } from '../../../api/catalog/catalog.ts';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { FolderPicker } from '../tree/folder-picker.tsx';
import { ChangeError } from './change-error.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useChange } from './use-change.ts';

interface EditDialogProps {
  /** The item as it was when the dialog opened. */
  readonly opened: Item;
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
  return (
    <FormDialog
      title={`Move ${opened.name}`}
      submitLabel="Move"
      onSubmit={() => submit({ parent_path: folder })}
      onClose={onClose}
      isPending={isPending}
      isDisabled={folder === parent || folder === ''}
    >
      <FolderPicker label="To the folder" value={folder} onChange={setFolder} without={opened.path} />
      <ChangeError title="The item was not moved" error={error} path={item.path} onReload={setItem} />
    </FormDialog>
  );
}
