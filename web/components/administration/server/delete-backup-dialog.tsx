import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteBackup, type ListedBackup } from '../../../api/administration/server.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { notify } from '../../notify.ts';

interface DeleteBackupDialogProps {
  readonly backup: ListedBackup;
  readonly onClose: () => void;
}

/** Asks for confirmation before a backup is deleted, or stopped. */
export function DeleteBackupDialog({ backup: { name, state }, onClose }: DeleteBackupDialogProps) {
  const client = useQueryClient();
  const isRunning = state === 'running';
  const deletion = useMutation({
    mutationFn: () => deleteBackup(client, name),
    onSuccess: () => {
      notify(isRunning ? 'Stopped the backup' : 'Deleted the backup');
      onClose();
    },
  });
  return (
    <FormDialog
      title={isRunning ? 'Stop the backup?' : 'Delete the backup?'}
      submitLabel={isRunning ? 'Stop backup' : 'Delete backup'}
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
      isPending={deletion.isPending}
      isDangerous
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {name}
        {isRunning ? ' is stopped, and nothing of it is kept.' : ' is deleted. You cannot undo this.'}
      </Text>
      {deletion.error !== null && <ErrorAlert title="The backup was not deleted" error={deletion.error} />}
    </FormDialog>
  );
}
