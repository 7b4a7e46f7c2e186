import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { type ChosenFile, readInput } from '../../../api/catalog/read-files.ts';
import { UploadIcon } from '../../icons.tsx';
import { ItemName } from '../item/item-name.tsx';
import { DropTarget } from './drop-target.tsx';
import classes from './transfer.module.css';

interface FileChooserProps {
  /** The path of the folder in the catalog. */
  readonly folder: string;
  readonly onChoose: (files: readonly ChosenFile[]) => void;
}

/** Chooses files or a folder, with buttons or by dropping them. */
export function FileChooser({ folder, onChoose }: FileChooserProps) {
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const read = ({ files: chosen }: HTMLInputElement) => {
    if (chosen !== null && chosen.length > 0) onChoose(readInput(chosen));
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        To <ItemName name={folder} isWrapped />
      </Text>
      <DropTarget className={classes.drop} onDrop={onChoose}>
        <UploadIcon size={28} />
        <Text size="sm">Drop files or folders here, or</Text>
        <Group gap="xs" justify="center">
          <Button variant="default" onClick={() => files.current?.click()} data-autofocus>
            Choose files
          </Button>
          <Button variant="default" onClick={() => folders.current?.click()}>
            Choose a folder
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          <Code>report.sql</Code> becomes the script <Code>report</Code>; other names stay. Text in UTF-8, at
          most 15 MB each.
        </Text>
      </DropTarget>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => read(event.currentTarget)}
      />
      <input
        ref={folders}
        type="file"
        hidden
        aria-label="Folder"
        {...{ webkitdirectory: '' }}
        onChange={(event) => read(event.currentTarget)}
      />
    </Stack>
  );
}
