import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/request.ts';
import { deleteToken, type ListedToken } from '../../api/tokens.ts';
import { ErrorAlert } from '../error-alert.tsx';
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
  const deletion = useMutation({
    mutationFn: () => deleteToken(client, token).catch(toDone),
    onSuccess: () => {
      notify(`Deleted the token ${token.name}`);
      onClose();
      onDeleted?.();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Delete this token?" centered>
      <Stack>
        <Text>
          <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
            {token.name}
          </Text>{' '}
          stops working at once. Programs that use it can no longer sign in. You cannot undo this.
        </Text>
        {deletion.error !== null && <ErrorAlert title="The token was not deleted" error={deletion.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete token
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Ignores 404: the token can already be deleted. */
function toDone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
