import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeGroup, createGroup, deleteGroup } from '../../../api/administration/groups.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { notify } from '../../notify.ts';

/** The names of a group that a person types. */
interface Names {
  readonly name: string;
  readonly display_name: string;
}

/** Creates a group. */
export function CreateGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: (names: Names) => createGroup(client, names),
    onSuccess: ({ name }) => {
      notify(`Created the group ${name}`);
      onClose();
    },
  });
  return (
    <NamesDialog
      title="Create a group"
      submitLabel="Create"
      before={{ name: '', display_name: '' }}
      failure="The group was not created"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={(names) => creation.mutate(names)}
      onClose={onClose}
    />
  );
}

interface RenameGroupDialogProps {
  readonly group: Names;
  readonly onClose: () => void;
  readonly onRenamed: (name: string) => void;
}

/** Renames a group, or changes its display name; grants and members stay. */
export function RenameGroupDialog({ group, onClose, onRenamed }: RenameGroupDialogProps) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (names: Names) => changeGroup(client, group.name, names),
    onSuccess: ({ name }) => {
      notify(`Changed the group ${name}`);
      onClose();
      onRenamed(name);
    },
  });
  return (
    <NamesDialog
      title={`Rename ${group.name}`}
      submitLabel="Save"
      before={group}
      failure="The group was not changed"
      error={change.error}
      isPending={change.isPending}
      onSubmit={(names) => change.mutate(names)}
      onClose={onClose}
    />
  );
}

interface NamesDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly before: Names;
  readonly failure: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: (names: Names) => void;
  readonly onClose: () => void;
}

function NamesDialog({ before, failure, error, onSubmit, ...dialog }: NamesDialogProps) {
  const [name, setName] = useState(before.name);
  const [displayName, setDisplayName] = useState(before.display_name);
  return (
    <FormDialog
      {...dialog}
      onSubmit={() => onSubmit({ name: name.trim(), display_name: displayName.trim() })}
      isDirty={name !== before.name || displayName !== before.display_name}
    >
      <TextInput
        label="Name"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Display name"
        maxLength={255}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      {error !== null && <ErrorAlert title={failure} error={error} />}
    </FormDialog>
  );
}

interface DeleteGroupDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks for confirmation before a group is deleted. */
export function DeleteGroupDialog({ name, onClose, onDeleted }: DeleteGroupDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      submitLabel="Delete group"
      failure={`${name} was not deleted`}
      action={() => deleteGroup(client, name)}
      onDone={() => {
        notify(`Deleted the group ${name}`);
        onDeleted();
      }}
      onClose={onClose}
    >
      <Text>Its grants end at once. The members keep their accounts. You cannot undo this.</Text>
    </ConfirmDialog>
  );
}
