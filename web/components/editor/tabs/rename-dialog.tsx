import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../form-dialog.tsx';
import { checkTitle, getTitle, type Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';

interface RenameDialogProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly onClose: () => void;
}

/** Gives a query a name. */
export function RenameDialog({ workspace, tab, onClose }: RenameDialogProps) {
  const [name, setName] = useState(getTitle(tab));
  const [error, setError] = useState<string | null>(null);
  const submit = () => {
    const others = workspace.tabs.get().filter(({ id }) => id !== tab.id);
    const problem = checkTitle(name, others);
    setError(problem);
    if (problem !== null) return;
    workspace.rename(tab.id, name.trim());
    onClose();
  };
  return (
    <FormDialog
      title={`Rename ${getTitle(tab)}`}
      submitLabel="Rename"
      onSubmit={submit}
      onClose={onClose}
      isPending={false}
    >
      <TextInput
        label="Name"
        description="Only in this browser, until you save the query as a script"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
        onFocus={(event) => event.currentTarget.select()}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
