import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addMember, removeMember } from '../../../api/administration/groups.ts';
import { endUserSessions, type ListedUser, userSessionsQuery } from '../../../api/administration/users.ts';
import { type ListedToken, tokensQuery } from '../../../api/tokens.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { GroupPicker } from '../../group-picker.tsx';
import { CloseIcon, TrashIcon } from '../../icons.tsx';
import { DeleteTokenDialog } from '../../keys/delete-token-dialog.tsx';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { printDevice } from '../../profile/device-name.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import { GrantItems, Items, PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';

interface SectionProps {
  readonly account: ListedUser;
}

/** The groups of a user; the memberships that were made here can be removed. */
export function UserGroups({ account: { user_name: name, groups, group_count } }: SectionProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: (group: string) => removeMember(client, group, name),
    onSuccess: (_, group) => notify(`Removed ${name} from ${group}`),
  });
  const addition = useMutation({
    mutationFn: (group: string) => addMember(client, group, name),
    onSuccess: (_, group) => notify(`Added ${name} to ${group}`),
  });
  const error = removal.error ?? addition.error;
  return (
    <Stack gap="xs" component="section" aria-label="Groups">
      <PanelHeading>Groups</PanelHeading>
      <Items label="Groups of the user" none="In no group except everyone">
        {groups.map((group) => (
          <li key={group} className={classes.item}>
            <Text size="sm">{group}</Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove from ${group}`}
              onClick={() => removal.mutate(group)}
            >
              <CloseIcon size={16} />
            </ActionIcon>
          </li>
        ))}
      </Items>
      {group_count > groups.length && (
        <Text size="sm" c="dimmed">
          And {group_count - groups.length} more
        </Text>
      )}
      <GroupPicker
        label="Add to a group"
        placeholder="Add to a group"
        value={null}
        onChange={(group) => group !== null && addition.mutate(group)}
        without={groups}
      />
      {error !== null && <ErrorAlert title="The groups were not changed" error={error} />}
    </Stack>
  );
}

/** The sessions of a user, which can be ended. */
export function UserSessions({ account: { user_name: name } }: SectionProps) {
  const client = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(userSessionsQuery(name));
  const ending = useMutation({
    mutationFn: (id: string | undefined) => endUserSessions(client, name, id),
    onSuccess: () => notify(`Signed out ${name}`),
  });
  return (
    <Stack gap="xs" component="section" aria-label="Sessions">
      <Group justify="space-between">
        <PanelHeading>Sessions</PanelHeading>
        {sessions !== undefined && sessions.length > 1 && (
          <Button size="xs" variant="default" onClick={() => ending.mutate(undefined)}>
            Sign out everywhere
          </Button>
        )}
      </Group>
      {sessions === undefined && error === null && (
        <SkeletonRows label="Loading sessions" count={1} height={40} />
      )}
      <Items label="Sessions of the user" none="Not signed in">
        {sessions?.map(({ id, user_agent, address, last_seen_at }) => (
          <li key={id} className={classes.item}>
            <Text size="sm" title={user_agent ?? undefined}>
              {printDevice(user_agent)}, {address ?? 'unknown address'},{' '}
              <TimeText value={last_seen_at} isRelative />
            </Text>
            <Button size="xs" variant="default" onClick={() => ending.mutate(id)}>
              Sign out
            </Button>
          </li>
        ))}
      </Items>
      {error !== null && (
        <LoadError title="The sessions cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {ending.error !== null && <ErrorAlert title="The sessions were not ended" error={ending.error} />}
    </Stack>
  );
}

/** The API keys of a user, which can be deleted. */
export function UserKeys({ account: { user_name: name } }: SectionProps) {
  const { data: keys, error, refetch } = useQuery(tokensQuery(name));
  const [keyToDelete, setKeyToDelete] = useState<ListedToken | null>(null);
  return (
    <Stack gap="xs" component="section" aria-label="API keys">
      <PanelHeading>API keys</PanelHeading>
      {keys === undefined && error === null && (
        <SkeletonRows label="Loading API keys" count={1} height={40} />
      )}
      <Items label="API keys of the user" none="No API keys">
        {keys?.map((key) => (
          <li key={key.id} className={classes.item}>
            <Text size="sm">
              {key.name} ({key.scope}), {key.last_used_at === null ? 'never used' : 'used '}
              {key.last_used_at !== null && <TimeText value={key.last_used_at} isRelative />}
            </Text>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Delete the API key ${key.name}`}
              onClick={() => setKeyToDelete(key)}
            >
              <TrashIcon size={16} />
            </ActionIcon>
          </li>
        ))}
      </Items>
      {error !== null && (
        <LoadError title="The API keys cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {keyToDelete !== null && <DeleteTokenDialog token={keyToDelete} onClose={() => setKeyToDelete(null)} />}
    </Stack>
  );
}

/** What a user can see: all grants of the user, of the user's groups and of everyone. */
export function UserAccessList({ account: { user_name: name, role } }: SectionProps) {
  return (
    <Stack gap="xs" component="section" aria-label="Access">
      <PanelHeading>{`What ${name} can see`}</PanelHeading>
      {role === 'ADMIN' && (
        <Text size="sm">Everything except what is in the @Personal of others, as an administrator.</Text>
      )}
      {role === 'VIEWER' && <Text size="sm">Views at most, even with a higher level.</Text>}
      <GrantItems subject={`user:${name}`} />
    </Stack>
  );
}
