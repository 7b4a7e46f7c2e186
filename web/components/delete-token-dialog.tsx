import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/request.ts';
import { deleteToken, type Token } from '../api/tokens.ts';
import { ErrorAlert } from './error-alert.tsx';

interface DeleteTokenDialogProps {
  readonly token: Token;
  readonly onClose: () => void;
}

/** Asks before a token is deleted. */
export function DeleteTokenDialog({ token, onClose }: DeleteTokenDialogProps) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteToken(client, token).catch(toDone),
    onSuccess: onClose,
  });
  return (
    <Modal opened onClose={onClose} title="Delete this token?" centered>
      <Stack>
        <Text>
          <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
            {token.name}
          </Text>{' '}
          stops working at once. Whatever uses it is refused from then on, and it cannot be brought back.
        </Text>
        {deletion.error !== null && <ErrorAlert title="The token is still there" error={deletion.error} />}
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

/** Somebody else may have been faster. */
function toDone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
