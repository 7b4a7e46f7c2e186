import { Button, List, Menu, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeUsers } from '../../../api/administration/users.ts';
import { ACCOUNT_ROLES } from '../../../api/administration/users-search.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { GroupsPicker } from '../../group-picker.tsx';
import { notify } from '../../notify.ts';

type SharedChange = Omit<Parameters<typeof changeUsers>[1], 'users'>;

/** A change of the selected users, and how the dialog asks for it. */
interface ChangeKind {
  readonly label: string;
  /** The change; undefined if groups must be chosen first. */
  readonly change: SharedChange | undefined;
  /** With groups: the field of the change. */
  readonly groupsField?: 'add_groups' | 'remove_groups';
  readonly isDangerous?: boolean;
}

const KINDS: readonly ChangeKind[] = [
  { label: 'Enable', change: { active: true } },
  { label: 'Disable', change: { active: false }, isDangerous: true },
  ...ACCOUNT_ROLES.map((role) => ({ label: `Make ${role}`, change: { role } })),
  { label: 'Add to groups', change: undefined, groupsField: 'add_groups' },
  { label: 'Remove from groups', change: undefined, groupsField: 'remove_groups' },
  { label: 'Sign out everywhere', change: { end_sessions: true } },
  { label: 'Delete API keys', change: { revoke_tokens: true }, isDangerous: true },
  { label: 'Delete', change: { delete: true }, isDangerous: true },
];

interface SelectionActionsProps {
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** One change of all selected users, with an outcome for each (docs/reference/accounts.md#changing-several-users). */
export function SelectionActions({ ids, clear }: SelectionActionsProps) {
  const [kind, setKind] = useState<ChangeKind | null>(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button size="xs">Change</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map((one) => (
            <Menu.Item
              key={one.label}
              onClick={() => setKind(one)}
              {...(one.isDangerous === true ? { color: 'red' } : {})}
            >
              {one.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {kind !== null && <ChangeDialog kind={kind} ids={ids} clear={clear} onClose={() => setKind(null)} />}
    </>
  );
}

interface ChangeDialogProps extends SelectionActionsProps {
  readonly kind: ChangeKind;
  readonly onClose: () => void;
}

function ChangeDialog({ kind, ids, clear, onClose }: ChangeDialogProps) {
  const client = useQueryClient();
  const [groups, setGroups] = useState<string[]>([]);
  const [users] = useState(ids);
  const change = useMutation({
    mutationFn: () => {
      const { groupsField } = kind;
      const shared = groupsField === undefined ? kind.change : { [groupsField]: groups };
      return changeUsers(client, { users: [...users], ...shared });
    },
    onSuccess: ({ data }) => {
      const changed = data.filter(({ done }) => done).length;
      notify(`Changed ${changed} of ${data.length} users`);
      if (changed < data.length) return;
      clear();
      onClose();
    },
  });
  const failed = change.data?.data.filter(({ done }) => !done) ?? [];
  if (failed.length > 0) {
    return (
      <FormDialog
        title="Not all users were changed"
        submitLabel="Close"
        onSubmit={onClose}
        onClose={onClose}
        isPending={false}
      >
        <List>
          {failed.map(({ user_name, message }) => (
            <List.Item key={user_name}>
              {user_name}: {message}
            </List.Item>
          ))}
        </List>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={`${kind.label}: ${printCounted(users.length, 'user')}?`}
      submitLabel={kind.label}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      isPending={change.isPending}
      isDangerous={kind.isDangerous ?? false}
      isDisabled={kind.groupsField !== undefined && groups.length === 0}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{users.join(', ')}</Text>
      {kind.groupsField !== undefined && <GroupsPicker label="Groups" value={groups} onChange={setGroups} />}
      {change.error !== null && <ErrorAlert title="Nothing was changed" error={change.error} />}
    </FormDialog>
  );
}
