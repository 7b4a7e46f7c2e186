import { Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Entry } from '../../../api/catalog/catalog.ts';
import { createAsset, createFolder } from '../../../api/catalog/catalog-changes.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { ItemName } from '../item/item-name.tsx';
import { EditError } from './edit-error.tsx';

type CreatedKind = 'create-script' | 'create-folder' | 'create-project';

const TEXTS: Readonly<Record<CreatedKind, { readonly title: string; readonly submit: string }>> = {
  'create-script': { title: 'Create a script', submit: 'Create script' },
  'create-folder': { title: 'Create a folder', submit: 'Create folder' },
  'create-project': { title: 'Create a project', submit: 'Create project' },
};

interface CreateDialogProps {
  readonly kind: CreatedKind;
  /** The path of the folder for the new item. */
  readonly folder: string;
  readonly onClose: () => void;
  readonly onDone: (made: Entry) => void;
}

/** Creates a script, a folder or a project. */
export function CreateDialog({ kind, folder, onClose, onDone }: CreateDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [content, setContent] = useState('');
  const isScript = kind === 'create-script';
  const creation = useMutation({
    mutationFn: () => {
      const body = { parent_path: folder, name, ...(description === '' ? {} : { description }) };
      if (isScript) return createAsset(client, { ...body, content });
      return createFolder(client, {
        ...body,
        folder_type: kind === 'create-project' ? 'PROJECT' : 'REGULAR',
      });
    },
    onSuccess: onDone,
  });
  const { title, submit } = TEXTS[kind];
  return (
    <FormDialog
      title={title}
      submitLabel={submit}
      size={isScript ? 'lg' : 'md'}
      onSubmit={creation.mutate}
      onClose={onClose}
      isPending={creation.isPending}
      isDirty={name !== '' || description !== '' || content !== ''}
    >
      <Text size="sm" c="dimmed">
        In <ItemName name={folder} isWrapped />
      </Text>
      <TextInput
        label="Name"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {isScript && (
        <Textarea
          label="Text"
          description="You can leave it empty."
          rows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
      )}
      {creation.error !== null && (
        <EditError
          title={`The ${kind.slice('create-'.length)} was not created`}
          error={creation.error}
          path={folder}
        />
      )}
    </FormDialog>
  );
}
