import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogItem, itemQuery } from '../../api/catalog/catalog.ts';
import { getName, getParentPath, joinPath, PERSONAL } from '../../api/catalog/catalog-paths.ts';
import { readResultsRoom, writeResultsRoom } from '../../api/editor/results-room.ts';
import { copyRunSettings } from '../../api/editor/run-settings.ts';
import { createScript } from '../../api/editor/save-script.ts';
import { useSession } from '../../api/use-session.ts';
import { EditError } from '../catalog/dialogs/edit-error.tsx';
import { FolderPicker, useMayChange } from '../catalog/tree/folder-picker.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { notify } from '../notify.ts';
import { isQuery, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

interface SaveAsDialogProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly onClose: () => void;
  /** Called with the path of the new script, which the tab has from now on. */
  readonly onDone: (path: string) => void;
}

/** Saves the text of a tab as a new script. */
export function SaveAsDialog({ workspace, tab, onClose, onDone }: SaveAsDialogProps) {
  const client = useQueryClient();
  const { user } = useSession();
  const [folder, setFolder] = useState(isQuery(tab.key) ? PERSONAL : getParentPath(tab.key));
  const mayChange = useMayChange(folder);
  const [name, setName] = useState(isQuery(tab.key) ? (tab.title ?? '') : getName(tab.key));
  const isOpen = workspace.tabs.get().some(({ id, key }) => id !== tab.id && key === joinPath(folder, name));
  const creation = useMutation({
    mutationFn: async () => {
      const doc = workspace.getState(tab.id)?.doc;
      if (doc === undefined) throw new Error('The text is not loaded yet.');
      if (isOpen) throw new Error('A script with this path is open in another tab. Close that tab first.');
      return { doc, item: await createScript(client, { folder, name, content: workspace.print(tab.id) }) };
    },
    onSuccess: ({ doc, item }) => {
      client.setQueryData<CatalogItem>(itemQuery(item.path).queryKey, item);
      copyRunSettings(user.user_name, tab.key, item.path);
      writeResultsRoom(user.user_name, item.path, readResultsRoom(user.user_name, tab.key));
      workspace.settle(tab.id, item, doc);
      void client.invalidateQueries({ queryKey: ['catalog', 'children', folder] });
      notify(`Saved ${item.name}`);
      onDone(item.path);
    },
  });
  return (
    <FormDialog
      title="Save as a script"
      submitLabel="Save"
      onSubmit={creation.mutate}
      onClose={onClose}
      isPending={creation.isPending}
      isDisabled={!mayChange}
    >
      <TextInput
        label="Name"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <FolderPicker label="In the folder" value={folder} onChange={setFolder} />
      {tab.isGone && (
        <Text size="sm" c="dimmed">
          The text becomes a new script, without the history and the permissions of the former one.
        </Text>
      )}
      {creation.error !== null && (
        <EditError title="The script was not saved" error={creation.error} path={folder} />
      )}
    </FormDialog>
  );
}
