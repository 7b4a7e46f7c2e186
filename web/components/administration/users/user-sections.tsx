import { ActionIcon, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { addMember, groupsQuery, removeMember } from '../../../api/administration/groups.ts';
import { type Account, endUserSessions, userSessionsQuery } from '../../../api/administration/users.ts';
import { subjectGrantsQuery } from '../../../api/catalog/catalog-grants.ts';
import { type ListedToken, tokensQuery } from '../../../api/tokens.ts';
import { DeleteTokenDialog } from '../../delete-token-dialog.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { CloseIcon, TrashIcon } from '../../icons.tsx';
import { notify } from '../../notify.ts';
import { printDevice } from '../../profile/device-name.ts';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { TimeText } from '../../time-text.tsx';
import classes from './users.module.css';

interface SectionProps {
  readonly account: Account;
}

/** The groups of a user; the memberships that were made here can be removed. */
export function UserGroups({ account: { user_name: name, groups, group_count } }: SectionProps) {
  const client = useQueryClient();
  const { data: all = [] } = useQuery(groupsQuery);
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
      <Select
        aria-label="Add to a group"
        placeholder="Add to a group"
        data={all.map((group) => group.name).filter((group) => !groups.includes(group))}
        value={null}
        onChange={(group) => group !== null && addition.mutate(group)}
        searchable
        limit={50}
        nothingFoundMessage="No such group"
      />
      {error !== null && <ErrorAlert title="The groups were not changed" error={error} />}
    </Stack>
  );
}

/** The sessions of a user, which can be ended. */
export function UserSessions({ account: { user_name: name } }: SectionProps) {
  const client = useQueryClient();
  const { data: sessions, error } = useQuery(userSessionsQuery(name));
  const ending = useMutation({
    mutationFn: (id: string | undefined) => endUserSessions(client, name, id),
    onSuccess: () => notify(`Signed out ${name}`),
  });
  const failed = error ?? ending.error;
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
      {failed !== null && <ErrorAlert title="The sessions are not up to date" error={failed} />}
    </Stack>
  );
}

/** The API keys of a user, which can be deleted. */
export function UserKeys({ account: { user_name: name } }: SectionProps) {
  const { data: keys, error } = useQuery(tokensQuery(name));
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
              aria-label={`Delete the token ${key.name}`}
              onClick={() => setKeyToDelete(key)}
            >
              <TrashIcon size={16} />
            </ActionIcon>
          </li>
        ))}
      </Items>
      {error !== null && <ErrorAlert title="The API keys cannot be shown" error={error} />}
      {keyToDelete !== null && <DeleteTokenDialog token={keyToDelete} onClose={() => setKeyToDelete(null)} />}
    </Stack>
  );
}

/** What a user can see: all grants of the user, of the user's groups and of everyone. */
export function UserAccessList({ account: { user_name: name, role } }: SectionProps) {
  const { data: grants, error } = useQuery(subjectGrantsQuery(`user:${name}`));
  return (
    <Stack gap="xs" component="section" aria-label="Access">
      <PanelHeading>{`What ${name} can see`}</PanelHeading>
      {role === 'ADMIN' && (
        <Text size="sm">Everything except what is in the @Personal of others, as an administrator.</Text>
      )}
      {role === 'VIEWER' && <Text size="sm">Views at most, even with a higher level.</Text>}
      {grants === undefined && error === null && (
        <SkeletonRows label="Loading grants" count={1} height={40} />
      )}
      <Items label="Grants of the user" none="No grants">
        {grants?.map(({ subject, target, level }) => (
          <li key={`${subject} ${target}`} className={classes.item}>
            <Text size="sm">{target}</Text>
            <Text size="sm" c="dimmed">
              {level}
              {subject !== `user:${name}` && ` by ${subject}`}
            </Text>
          </li>
        ))}
      </Items>
      {error !== null && <ErrorAlert title="The grants cannot be shown" error={error} />}
    </Stack>
  );
}

interface ItemsProps {
  readonly label: string;
  /** The text for an empty list. */
  readonly none: string;
  readonly children: readonly ReactNode[] | undefined;
}

function Items({ label, none, children }: ItemsProps) {
  if (children === undefined) return null;
  if (children.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** The heading of a part of the panel. */
function PanelHeading({ children }: { readonly children: string }) {
  return (
    <Title order={3} fz="md">
      {children}
    </Title>
  );
}
