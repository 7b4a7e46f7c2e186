import { List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  deleteUser,
  type ListedUser,
  type StoppedUser,
  stopUser,
} from '../../../api/administration/users.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { notify } from '../../notify.ts';

interface StopDialogProps {
  readonly account: ListedUser;
  readonly onClose: () => void;
}

/** Says what stopping a user ends, and then what it has ended (docs/reference/accounts.md#stopping-a-user). */
export function StopDialog({ account, onClose }: StopDialogProps) {
  const client = useQueryClient();
  const { user_name: name, session_count, token_count } = account;
  return (
    <ConfirmDialog
      title={`Stop ${name}?`}
      submitLabel="Stop now"
      failure={`${name} was not stopped`}
      action={() => stopUser(client, name)}
      onDone={(stopped) => {
        notify(printStopped(stopped));
        onClose();
      }}
      onClose={onClose}
    >
      <Text>{name} can do nothing any more, until you enable the user again. This ends at once:</Text>
      <List>
        <List.Item>{printCounted(session_count, 'session')}</List.Item>
        <List.Item>{printCounted(token_count, 'API key')}, which do not come back</List.Item>
        <List.Item>all running queries of {name}</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        Content, groups and grants stay.
      </Text>
    </ConfirmDialog>
  );
}

function printStopped({ user_name, sessions, tokens, executions, ending }: StoppedUser): string {
  const ended = [
    printCounted(sessions, 'session'),
    printCounted(tokens, 'API key'),
    printCounted(executions, 'run'),
  ].join(', ');
  const late = ending.length === 0 ? '' : `. ${printCounted(ending.length, 'run')} not ended yet`;
  return `Stopped ${user_name}: ended ${ended}${late}`;
}

interface DeleteUserDialogProps extends StopDialogProps {
  readonly onDeleted: () => void;
}

/** Asks for confirmation before an account is deleted. */
export function DeleteUserDialog({
  account: { user_name: name },
  onClose,
  onDeleted,
}: DeleteUserDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      submitLabel="Delete user"
      failure={`${name} was not deleted`}
      action={() => deleteUser(client, name)}
      onDone={() => {
        notify(`Deleted the user ${name}`);
        onDeleted();
      }}
      onClose={onClose}
    >
      <Text>
        The account, its API keys, its grants and everything in its @Personal are deleted. You cannot undo
        this. To keep the content, stop the user instead.
      </Text>
    </ConfirmDialog>
  );
}
