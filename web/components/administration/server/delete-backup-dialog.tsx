import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { deleteBackup, type ListedBackup } from '../../../api/administration/server.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { notify } from '../../notify.ts';

interface DeleteBackupDialogProps {
  readonly backup: ListedBackup;
  readonly onClose: () => void;
}

/** Asks for confirmation before a backup is deleted, or stopped. */
export function DeleteBackupDialog({ backup: { name, state }, onClose }: DeleteBackupDialogProps) {
  const client = useQueryClient();
  const isRunning = state === 'running';
  return (
    <ConfirmDialog
      title={isRunning ? 'Stop the backup?' : 'Delete the backup?'}
      submitLabel={isRunning ? 'Stop backup' : 'Delete backup'}
      failure="The backup was not deleted"
      action={() => deleteBackup(client, name)}
      onDone={() => {
        notify(isRunning ? 'Stopped the backup' : 'Deleted the backup');
        onClose();
      }}
      onClose={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {name}
        {isRunning ? ' is stopped, and nothing of it is kept.' : ' is deleted. You cannot undo this.'}
      </Text>
    </ConfirmDialog>
  );
}
