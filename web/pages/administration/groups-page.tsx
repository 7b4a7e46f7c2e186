import { Button, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { GROUPS, type ListedGroup, loadGroups } from '../../api/administration/groups.ts';
import type { GroupsSearch } from '../../api/administration/groups-search.ts';
import { ACCOUNT_SOURCES } from '../../api/administration/users-search.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { CreateGroupDialog } from '../../components/administration/groups/group-dialogs.tsx';
import { GroupPanel } from '../../components/administration/groups/group-panel.tsx';
import classes from '../../components/administration/row.module.css';
import { GroupIcon, PlusIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message-page.tsx';
import { ChoiceFilter } from '../../components/table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';

const route = getRouteApi('/signed-in/administration/groups');

/** The groups of the home, for administrators (docs/reference/accounts.md#groups). */
export function GroupsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const change = (changed: GroupsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { group: openId, ...parameters } = search;
  const list = useList({ key: [GROUPS], load: loadGroups, parameters, toAfter: ({ name }) => name });
  return (
    <AdministrationPage
      title="Groups"
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setCreating(true)}>
          Create group
        </Button>
      }
      panel={
        openId !== undefined && (
          <GroupPanel
            name={openId}
            onClose={() => change({ group: undefined })}
            onRenamed={(group) => change({ group }, true)}
          />
        )
      }
    >
      <DataTable
        label="Groups"
        unit={['group', 'groups']}
        columns={COLUMNS}
        list={list}
        toId={({ name }) => name}
        openId={openId}
        onOpen={(group) => change({ group }, true)}
        search={{ q: search.q }}
        onSearch={({ q }) => change({ q }, true)}
        filters={
          <ChoiceFilter
            label="Source"
            all="All sources"
            names={ACCOUNT_SOURCES}
            value={search.source}
            onChange={(source) => change({ source })}
          />
        }
        isFiltered={search.source !== undefined}
        onClear={() => change({ q: undefined, source: undefined })}
        empty={
          <Message
            icon={<GroupIcon size={24} />}
            title="No groups yet"
            text="Users in a group share grants. Create one, or let an identity provider send its groups."
          >
            <Button onClick={() => setCreating(true)}>Create the first group</Button>
          </Message>
        }
      />
      {isCreating && <CreateGroupDialog onClose={() => setCreating(false)} />}
    </AdministrationPage>
  );
}

const COLUMNS: readonly ListColumn<ListedGroup>[] = [
  { header: 'Name', render: (group) => <NameLink group={group} /> },
  { header: 'Members', width: 110, render: ({ member_count = 0 }) => member_count.toLocaleString() },
  {
    header: 'Source',
    width: 220,
    isExtra: true,
    render: ({ source = 'local' }) => ACCOUNT_SOURCES[source],
  },
  { header: 'Changed', width: 150, render: ({ updated_at }) => <TimeText value={updated_at} isRelative /> },
];

function NameLink({ group: { name, display_name } }: { readonly group: ListedGroup }) {
  return (
    <Link
      from="/administration/groups"
      to="/administration/groups"
      search={(before) => ({ ...before, group: name })}
      className={classes.name}
    >
      {name}
      {display_name !== '' && (
        <Text component="span" size="sm" c="dimmed">
          {' '}
          {display_name}
        </Text>
      )}
    </Link>
  );
}
