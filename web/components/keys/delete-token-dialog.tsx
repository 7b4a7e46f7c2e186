import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/request.ts';
import { deleteToken, type ListedToken } from '../../api/tokens.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { notify } from '../notify.ts';

interface DeleteTokenDialogProps {
  readonly token: ListedToken;
  readonly onClose: () => void;
  /** Called after the deletion, too. */
  readonly onDeleted?: () => void;
}

/** Asks for confirmation before a token is deleted. */
export function DeleteTokenDialog({ token, onClose, onDeleted }: DeleteTokenDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title="Delete this API key?"
      submitLabel="Delete API key"
      failure="The API key was not deleted"
      action={() => deleteToken(client, token).catch(toDone)}
      onDone={() => {
        notify(`Deleted the API key ${token.name}`);
        onClose();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <Text>
        <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
          {token.name}
        </Text>{' '}
        stops working at once. Programs that use it can no longer sign in. You cannot undo this.
      </Text>
    </ConfirmDialog>
  );
}

/** Ignores 404: the token can already be deleted. */
function toDone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
