import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  addMember,
  GROUPS,
  type GroupMember,
  groupQuery,
  type ListedGroup,
  loadMembers,
  removeMember,
} from '../../../api/administration/groups.ts';
import { ACCOUNT_SOURCES } from '../../../api/administration/users-search.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { CloseIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { SearchField } from '../../table/search-field.tsx';
import { PAGE, useList } from '../../table/use-list.ts';
import { TimeText } from '../../time-text.tsx';
import { UserPicker } from '../../user-picker.tsx';
import { GrantItems, Items, PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';
import { DeleteGroupDialog, RenameGroupDialog } from './group-dialogs.tsx';

interface GroupPanelProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRenamed: (name: string) => void;
}

/** A group with its members, its grants and its source. */
export function GroupPanel({ name, onClose, onRenamed }: GroupPanelProps) {
  const { data: group, error, refetch } = useQuery(groupQuery(name));
  return (
    <SidePanel title={name} onClose={onClose}>
      {group === undefined && error !== null && (
        <LoadError title="The group cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {group === undefined && error === null && <SkeletonRows label="Loading the group" />}
      {group !== undefined && (
        <Stack gap="lg" key={name}>
          <GroupFacts group={group} />
          <Actions group={group} onClose={onClose} onRenamed={onRenamed} />
          <Members group={group} />
          <Stack gap="xs" component="section" aria-label="Access">
            <PanelHeading>{`What ${name} can see`}</PanelHeading>
            <GrantItems subject={`group:${group.name}`} />
          </Stack>
        </Stack>
      )}
    </SidePanel>
  );
}

function GroupFacts({ group }: { readonly group: ListedGroup }) {
  const { display_name, source = 'local', member_count = 0, created_at, updated_at } = group;
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          'Display name': display_name || 'None',
          Members: member_count.toLocaleString(),
          Group: ACCOUNT_SOURCES[source],
          Created: <TimeText value={created_at} />,
          Changed: <TimeText value={updated_at} isRelative />,
        }}
      />
      {source !== 'local' && (
        <Text size="sm" c="dimmed">
          The identity provider keeps the name of this group: change it there. Members that you add here stay.
        </Text>
      )}
    </Stack>
  );
}

interface ActionsProps extends Pick<GroupPanelProps, 'onClose' | 'onRenamed'> {
  readonly group: ListedGroup;
}

function Actions({ group, onClose, onRenamed }: ActionsProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const closeDialog = () => setDialog(null);
  return (
    <Group gap="sm" justify="flex-end">
      {group.source === 'local' && (
        <Button variant="default" onClick={() => setDialog('rename')}>
          Rename
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      {dialog === 'rename' && <RenameGroupDialog group={group} onClose={closeDialog} onRenamed={onRenamed} />}
      {dialog === 'delete' && (
        <DeleteGroupDialog name={group.name} onClose={closeDialog} onDeleted={onClose} />
      )}
    </Group>
  );
}

function Members({ group: { name, member_count = 0 } }: { readonly group: ListedGroup }) {
  const client = useQueryClient();
  const [q, setQ] = useState<string | undefined>();
  const {
    rows,
    total = 0,
    error,
    retry,
    loadMore,
  } = useList<GroupMember>({
    key: [GROUPS, 'members', name],
    load: (query, signal) => loadMembers(name, query, signal),
    parameters: { q },
    toAfter: ({ user_name }) => user_name,
  });
  const addition = useMutation({
    mutationFn: (user: string) => addMember(client, name, user),
    onSuccess: (_, user) => notify(`Added ${user} to ${name}`),
  });
  const removal = useMutation({
    mutationFn: (user: string) => removeMember(client, name, user),
    onSuccess: (_, user) => notify(`Removed ${user} from ${name}`),
  });
  const failed = addition.error ?? removal.error;
  return (
    <Stack gap="xs" component="section" aria-label="Members">
      <PanelHeading>Members</PanelHeading>
      <UserPicker
        label="Add a member"
        placeholder="Name or address"
        value={null}
        onChange={(user) => addition.mutate(user)}
      />
      {(member_count > PAGE || q !== undefined) && (
        <SearchField label="Search members" value={q} onSearch={setQ} />
      )}
      {failed !== null && <ErrorAlert title="The members were not changed" error={failed} />}
      {rows === undefined && error !== null && (
        <LoadError title="The members cannot be shown" error={error} onRetry={retry} />
      )}
      {rows === undefined && error === null && <SkeletonRows label="Loading members" height={40} />}
      <Items
        label="Members"
        none={q === undefined ? 'No members' : 'No member has this text in a name or address'}
      >
        {rows?.map((member) => (
          <MemberRow key={member.user_name} member={member} onRemove={(user) => removal.mutate(user)} />
        ))}
      </Items>
      {rows !== undefined && rows.length < total && (
        <Button variant="default" onClick={loadMore}>
          Show more of {total.toLocaleString()}
        </Button>
      )}
    </Stack>
  );
}

interface MemberRowProps {
  readonly member: GroupMember;
  readonly onRemove: (user: string) => void;
}

/** A member; only a membership that was made here can be removed here. */
function MemberRow({ member: { user_name, display_name, active, sources }, onRemove }: MemberRowProps) {
  const others = sources.filter((source) => source !== 'local');
  return (
    <li className={classes.item}>
      <div>
        <Link to="/administration/users" search={{ user: user_name }}>
          {user_name}
        </Link>
        <Text size="xs" c="dimmed">
          {[
            ...(display_name === '' ? [] : [display_name]),
            ...(active ? [] : ['disabled']),
            ...others.map((source) => `added by ${source.toUpperCase()}`),
          ].join(', ')}
        </Text>
      </div>
      {sources.includes('local') && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${user_name}`}
          onClick={() => onRemove(user_name)}
        >
          <CloseIcon size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
