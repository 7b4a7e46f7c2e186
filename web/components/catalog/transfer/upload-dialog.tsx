import { Button, Center, Code, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type OnConflict,
  planUpload,
  printPath,
  type UploadPlan,
  upload,
} from '../../../api/catalog/catalog-upload.ts';
import { type ChosenFile, readInput } from '../../../api/catalog/read-files.ts';
import { UploadIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { ItemName } from '../item/item-name.tsx';
import { printCounted } from '../view/print-size.ts';
import { DropTarget } from './drop-target.tsx';
import classes from './transfer.module.css';
import { TransferDialog } from './transfer-dialog.tsx';
import { useTransfer } from './use-transfer.ts';

interface UploadDialogProps {
  /** The path of the folder in the catalog. */
  readonly folder: string;
  /** Files that were dropped on the folder. */
  readonly dropped: readonly ChosenFile[];
  readonly onClose: () => void;
}

/** Uploads files and folders: choose, review, transfer, result. */
export function UploadDialog({ folder, dropped, onClose }: UploadDialogProps) {
  const client = useQueryClient();
  const { transfer, run, cancel } = useTransfer();
  const plan = useMutation({
    mutationFn: (files: readonly ChosenFile[]) => planUpload(folder, files, new AbortController().signal),
  });
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current || dropped.length === 0) return;
    isStarted.current = true;
    plan.mutate(dropped);
  });
  return (
    <TransferDialog
      title="Upload files"
      verb="uploaded"
      transfer={transfer}
      onCancel={cancel}
      onClose={onClose}
    >
      {plan.isIdle && <FileChooser folder={folder} onChoose={plan.mutate} />}
      {plan.isPending && (
        <Center mih={120} role="status" aria-label="Comparing with the catalog">
          <Loader />
        </Center>
      )}
      {plan.error !== null && (
        <LoadError
          title="The upload cannot start"
          error={plan.error}
          onRetry={() => plan.variables !== undefined && plan.mutate(plan.variables)}
        />
      )}
      {plan.data !== undefined && (
        <UploadReview
          folder={folder}
          plan={plan.data}
          onStart={(onConflict) => void run((reporter) => upload(client, plan.data, onConflict, reporter))}
        >
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </UploadReview>
      )}
    </TransferDialog>
  );
}

interface FileChooserProps {
  /** The path of the folder in the catalog. */
  readonly folder: string;
  readonly onChoose: (files: readonly ChosenFile[]) => void;
}

/** Chooses files or a folder, with buttons or by dropping them. */
function FileChooser({ folder, onChoose }: FileChooserProps) {
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
  { value: 'replace', label: 'Replace: save new versions' },
  { value: 'keep-both', label: 'Keep both: rename the files' },
];

/** What an upload will do, and the question about scripts that exist. */
function UploadReview({ folder, plan, onStart, children }: UploadReviewProps) {
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
