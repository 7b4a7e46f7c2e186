import { Alert, Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { changeUser, inviteUser, type ListedUser, userQuery } from '../../../api/administration/users.ts';
import { ACCOUNT_ROLES, ACCOUNT_SOURCES, ACCOUNT_STATES } from '../../../api/administration/users-search.ts';
import { useSession } from '../../../api/use-session.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { InvitationLink } from './invite-dialog.tsx';
import { DeleteUserDialog, StopDialog } from './stop-dialog.tsx';
import { UserAccessList, UserGroups, UserKeys, UserSessions } from './user-sections.tsx';

interface UserPanelProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** An account with its groups, sessions, API keys and grants, and the actions of administrators. */
export function UserPanel({ name, onClose }: UserPanelProps) {
  const { data: account, error, refetch } = useQuery(userQuery(name));
  return (
    <SidePanel title={name} onClose={onClose}>
      {account === undefined && error !== null && (
        <LoadError title="The user cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {account === undefined && error === null && <SkeletonRows label="Loading the user" />}
      {account !== undefined && (
        <Stack gap="lg" key={name}>
          {account.state === 'waiting' && <WaitingSteps account={account} />}
          <AccountFacts account={account} />
          <Actions account={account} onDeleted={onClose} />
          <UserGroups account={account} />
          <UserSessions account={account} />
          <UserKeys account={account} />
          <UserAccessList account={account} />
        </Stack>
      )}
    </SidePanel>
  );
}

function AccountFacts({ account }: { readonly account: ListedUser }) {
  const { email, display_name, role, state, source, external, last_seen_at, created_at } = account;
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          'E-mail': email ?? 'None',
          'Display name': display_name || 'None',
          Role: role,
          State: ACCOUNT_STATES[state],
          Account: ACCOUNT_SOURCES[source],
          Created: <TimeText value={created_at} />,
          'Last seen': last_seen_at === null ? 'Never' : <TimeText value={last_seen_at} isRelative />,
        }}
      />
      {(source !== 'local' || external) && (
        <Text size="sm" c="dimmed">
          The identity provider keeps the name and the address of this user: change them there.
        </Text>
      )}
    </Stack>
  );
}

/** How the conflict of two accounts with one address is resolved (docs/reference/saml-accounts.md#the-conflict). */
function WaitingSteps({ account: { email } }: { readonly account: ListedUser }) {
  return (
    <Alert color="grain" variant="light" title="Waiting for approval">
      <Text size="sm">
        This user was created by a sign-in whose address{email === null ? '' : `, ${email},`} belonged to
        another user. Three steps resolve it:
      </Text>
      <List type="ordered" size="sm" mt="xs">
        <List.Item>
          Delete the user who was created by hand
          {email !== null && (
            <>
              {': '}
              <Link to="/administration/users" search={{ q: email }}>
                find the address
              </Link>
            </>
          )}
        </List.Item>
        <List.Item>Let the person sign in again</List.Item>
        <List.Item>Enable this user</List.Item>
      </List>
    </Alert>
  );
}

interface ActionsProps {
  readonly account: ListedUser;
  readonly onDeleted: () => void;
}

function Actions({ account, onDeleted }: ActionsProps) {
  const client = useQueryClient();
  const { user } = useSession();
  const [dialog, setDialog] = useState<'stop' | 'delete' | null>(null);
  const { user_name: name, active, external, role } = account;
  const enabling = useMutation({
    mutationFn: () => changeUser(client, name, { active: true }),
    onSuccess: () => notify(`Enabled ${name}`),
  });
  const roleChange = useMutation({
    mutationFn: (changed: string) => changeUser(client, name, { role: changed }),
    onSuccess: (changed) => notify(`${name} is ${changed.role} now`),
  });
  const invitation = useMutation({ mutationFn: () => inviteUser(client, { user: name }) });
  const error = enabling.error ?? roleChange.error ?? invitation.error;
  if (user.user_name === name) {
    return (
      <Text size="sm" c="dimmed">
        This is you. Another administrator can change your role or stop you; your{' '}
        <Link to="/profile">profile</Link> has the rest.
      </Text>
    );
  }
  const roles = ACCOUNT_ROLES.some((known) => known === role) ? ACCOUNT_ROLES : [role, ...ACCOUNT_ROLES];
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Role"
        data={[...roles]}
        value={role}
        disabled={roleChange.isPending}
        onChange={(event) => roleChange.mutate(event.currentTarget.value)}
      />
      <Group gap="sm" justify="flex-end">
        <Button variant="default" onClick={() => setDialog('delete')}>
          Delete
        </Button>
        {active && !external && (
          <Button variant="default" loading={invitation.isPending} onClick={() => invitation.mutate()}>
            {account.state === 'invited' ? 'New link' : 'Link for a new password'}
          </Button>
        )}
        {active ? (
          <Button color="red" onClick={() => setDialog('stop')}>
            Stop now
          </Button>
        ) : (
          <Button loading={enabling.isPending} onClick={() => enabling.mutate()}>
            Enable
          </Button>
        )}
      </Group>
      {error !== null && <ErrorAlert title="Nothing was changed" error={error} />}
      {invitation.data !== undefined && (
        <InvitationLink invitation={invitation.data} onClose={() => invitation.reset()} />
      )}
      {dialog === 'stop' && <StopDialog account={account} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && (
        <DeleteUserDialog account={account} onClose={() => setDialog(null)} onDeleted={onDeleted} />
      )}
    </Stack>
  );
}
