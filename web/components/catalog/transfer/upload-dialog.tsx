import { Button, Center, Loader } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { planUpload, upload } from '../../../api/catalog/catalog-upload.ts';
import type { ChosenFile } from '../../../api/catalog/read-files.ts';
import { LoadError } from '../../load-error.tsx';
import { FileChooser } from './file-chooser.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import { UploadReview } from './upload-review.tsx';
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
