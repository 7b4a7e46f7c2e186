import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type OnConflict, printPath, type UploadPlan } from '../../../api/catalog/catalog-upload.ts';
import { ItemName } from '../item/item-name.tsx';
import { printCounted } from '../view/print-size.ts';
import classes from './transfer.module.css';

interface UploadReviewProps {
  /** The path of the folder in the catalog. */
  readonly folder: string;
  readonly plan: UploadPlan;
  readonly onStart: (onConflict: OnConflict) => void;
  /** The button that cancels. */
  readonly children: ReactNode;
}

const CHOICES: readonly { readonly value: OnConflict; readonly label: string }[] = [
  { value: 'skip', label: 'Skip: do not upload these files' },
  { value: 'replace', label: 'Replace: save new revisions' },
  { value: 'keep-both', label: 'Keep both: rename the files' },
];

/** What an upload will do, and the question about scripts that exist. */
export function UploadReview({ folder, plan, onStart, children }: UploadReviewProps) {
  const [onConflict, setOnConflict] = useState<OnConflict>('skip');
  const start = useRef<HTMLButtonElement>(null);
  // The previous step, whose button had the focus, was closed.
  useEffect(() => start.current?.focus(), []);
  const { files, newFolders } = plan;
  const conflicts = files.filter(({ existing }) => existing !== null);
  return (
    <Stack>
      <Text size="sm">
        {printCounted(files.length, 'file')}
        {newFolders.length > 0 && `, ${printCounted(newFolders.length, 'new folder')}`}, to{' '}
        <ItemName name={folder} isWrapped />
      </Text>
      {conflicts.length > 0 && (
        <>
          <NativeSelect
            label={`${printCounted(conflicts.length, 'script')} already in the catalog`}
            description="The choice applies to all of them."
            data={[...CHOICES]}
            value={onConflict}
            onChange={(event) =>
              setOnConflict(CHOICES.find(({ value }) => value === event.currentTarget.value)?.value ?? 'skip')
            }
          />
          <ul className={classes.outcomes} aria-label="Scripts that exist">
            {conflicts.slice(0, 100).map((file) => (
              <li key={`${printPath(file)}:${file.file.name}`}>
                <ItemName name={printPath(file)} isWrapped />
              </li>
            ))}
          </ul>
        </>
      )}
      {files.length === 0 && (
        <Text size="sm" c="dimmed">
          There are no files in what you have chosen.
        </Text>
      )}
      <Group justify="flex-end">
        {children}
        <Button ref={start} disabled={files.length === 0} onClick={() => onStart(onConflict)}>
          Upload
        </Button>
      </Group>
    </Stack>
  );
}
