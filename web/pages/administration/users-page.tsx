import { Badge, Button, Group, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ListedUser, loadUsers, USERS } from '../../api/administration/users.ts';
import { ACCOUNT_SOURCES, ACCOUNT_STATES, type UsersSearch } from '../../api/administration/users-search.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import classes from '../../components/administration/row.module.css';
import { CreateUserDialog } from '../../components/administration/users/create-user-dialog.tsx';
import { InviteDialog } from '../../components/administration/users/invite-dialog.tsx';
import { SelectionActions } from '../../components/administration/users/selection-actions.tsx';
import { UserPanel } from '../../components/administration/users/user-panel.tsx';
import { GroupPicker } from '../../components/group-picker.tsx';
import { InviteIcon, UsersIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message-page.tsx';
import { ChoiceFilter } from '../../components/table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';

const route = getRouteApi('/signed-in/administration/users');

/** The accounts of the home, for administrators (docs/reference/accounts.md). */
export function UsersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [dialog, setDialog] = useState<'invite' | 'create' | null>(null);
  const change = (changed: UsersSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const close = () => change({ user: undefined });
  return (
    <AdministrationPage
      title="Users"
      actions={
        <>
          <Button variant="default" onClick={() => setDialog('create')}>
            Create
          </Button>
          <Button leftSection={<InviteIcon />} onClick={() => setDialog('invite')}>
            Invite
          </Button>
        </>
      }
      panel={search.user !== undefined && <UserPanel name={search.user} onClose={close} />}
    >
      <UsersTable search={search} onChange={change} />
      {dialog === 'invite' && <InviteDialog onClose={() => setDialog(null)} />}
      {dialog === 'create' && <CreateUserDialog onClose={() => setDialog(null)} />}
    </AdministrationPage>
  );
}

interface UsersTableProps {
  readonly search: UsersSearch;
  readonly onChange: (change: UsersSearch, replace?: boolean) => void;
}

function UsersTable({ search, onChange }: UsersTableProps) {
  const { user: openId, ...parameters } = search;
  const list = useList({
    key: [USERS],
    load: loadUsers,
    parameters,
    toAfter: ({ user_name }) => user_name,
  });
  const { role, state, source, group } = search;
  return (
    <DataTable
      label="Users"
      unit={['user', 'users']}
      columns={COLUMNS}
      list={list}
      toId={({ user_name }) => user_name}
      openId={openId}
      onOpen={(user) => onChange({ user }, true)}
      search={{ q: search.q, sort: search.sort ?? 'user_name' }}
      onSearch={(changed) => onChange(changed as UsersSearch, true)}
      filters={<Filters search={search} onChange={onChange} />}
      isFiltered={[role, state, source, group].some((value) => value !== undefined)}
      renderActions={(selection) => <SelectionActions {...selection} />}
      onClear={() =>
        onChange({ q: undefined, role: undefined, state: undefined, source: undefined, group: undefined })
      }
      empty={
        <Message icon={<UsersIcon size={24} />} title="No users" text="Invite people, or create a user." />
      }
    />
  );
}

const ROLE_NAMES = { ADMIN: 'ADMIN', EDITOR: 'EDITOR', VIEWER: 'VIEWER' };

function Filters({ search, onChange }: UsersTableProps) {
  return (
    <>
      <ChoiceFilter
        label="Role"
        all="All roles"
        names={ROLE_NAMES}
        value={search.role}
        onChange={(role) => onChange({ role })}
      />
      <ChoiceFilter
        label="State"
        all="All states"
        names={ACCOUNT_STATES}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      <ChoiceFilter
        label="Source"
        all="All sources"
        names={ACCOUNT_SOURCES}
        value={search.source}
        onChange={(source) => onChange({ source })}
      />
      <GroupPicker
        label="Group"
        placeholder="All groups"
        value={search.group ?? null}
        onChange={(group) => onChange({ group: group ?? undefined })}
      />
    </>
  );
}

const COLUMNS: readonly ListColumn<ListedUser>[] = [
  { header: 'Name', sort: 'user_name', render: (account) => <NameLink account={account} /> },
  { header: 'Role', width: 90, render: ({ role }) => role },
  { header: 'State', width: 150, render: ({ state }) => <StateBadge state={state} /> },
  { header: 'Groups', isExtra: true, render: (account) => printGroups(account) },
  {
    header: 'Created',
    width: 120,
    isExtra: true,
    sort: 'created_at',
    render: ({ created_at }) => <TimeText value={created_at} />,
  },
  {
    header: 'Last seen',
    width: 150,
    render: ({ last_seen_at }) =>
      last_seen_at === null ? 'Never' : <TimeText value={last_seen_at} isRelative />,
  },
];

function NameLink({ account: { user_name, display_name } }: { readonly account: ListedUser }) {
  return (
    <Link
      from="/administration/users"
      to="/administration/users"
      search={(before) => ({ ...before, user: user_name })}
      className={classes.name}
    >
      <Group component="span" gap={6} wrap="nowrap">
        {user_name}
        {display_name !== '' && (
          <Text component="span" size="sm" c="dimmed" truncate>
            {display_name}
          </Text>
        )}
      </Group>
    </Link>
  );
}

/** The name of the colours of a state, in `values.css`. */
const COLOURS: Readonly<Record<Exclude<ListedUser['state'], 'active'>, string>> = {
  disabled: 'danger',
  invited: 'info',
  waiting: 'warning',
};

function StateBadge({ state }: Pick<ListedUser, 'state'>) {
  if (state === 'active') return ACCOUNT_STATES[state];
  const colour = COLOURS[state];
  return (
    <Badge size="sm" bg={`var(--quern-${colour}-surface)`} c={`var(--quern-${colour}-text)`}>
      {state === 'waiting' ? 'Waiting' : ACCOUNT_STATES[state]}
    </Badge>
  );
}

function printGroups({ groups, group_count }: ListedUser): string {
  const [first, second] = groups;
  if (first === undefined) return '';
  if (second === undefined) return first;
  return group_count === 2 ? `${first}, ${second}` : `${first}, ${second} and ${group_count - 2} more`;
}
