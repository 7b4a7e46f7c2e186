import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ConnectionRow,
  connectionKindsQuery,
  loadConnections,
} from '../../api/administration/connections.ts';
import {
  CONNECTION_KINDS,
  type ConnectionsSearch,
  printConnectionKind,
} from '../../api/administration/connections-search.ts';
import { CONNECTIONS } from '../../api/editor/connections.ts';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { ConnectionDialog } from '../../components/administration/connections/connection-dialog.tsx';
import { ConnectionPanel } from '../../components/administration/connections/connection-panel.tsx';
import classes from '../../components/administration/row.module.css';
import { DatabaseIcon, PlusIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message-page.tsx';
import { ChoiceFilter } from '../../components/table/choice-filter.tsx';
import { DataTable, type ListColumn } from '../../components/table/data-table.tsx';
import { useList } from '../../components/table/use-list.ts';
import { TimeText } from '../../components/time-text.tsx';

/** The kind of a new connection, until another one is chosen. */
const FIRST_KIND = 'postgresql';

const route = getRouteApi('/signed-in/administration/connections');

/** The connections to databases, for administrators (docs/reference/connections.md). */
export function ConnectionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { data: kinds } = useQuery(connectionKindsQuery);
  const firstKind = kinds?.find(({ kind }) => kind === FIRST_KIND);
  const change = (changed: ConnectionsSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace });
  const { connection: openId, ...parameters } = search;
  const list = useList({
    key: [CONNECTIONS],
    load: loadConnections,
    parameters,
    toAfter: ({ name }) => name,
  });
  return (
    <AdministrationPage
      title="Connections"
      actions={
        <Button
          leftSection={<PlusIcon />}
          disabled={firstKind === undefined}
          onClick={() => setCreating(true)}
        >
          Create connection
        </Button>
      }
      panel={
        openId !== undefined && (
          <ConnectionPanel name={openId} onClose={() => change({ connection: undefined })} />
        )
      }
    >
      <DataTable
        label="Connections"
        unit={['connection', 'connections']}
        columns={COLUMNS}
        list={list}
        toId={({ name }) => name}
        openId={openId}
        onOpen={(connection) => change({ connection }, true)}
        search={{ q: search.q }}
        onSearch={({ q }) => change({ q }, true)}
        filters={
          <ChoiceFilter
            label="Kind"
            all="All kinds"
            names={CONNECTION_KINDS}
            value={search.kind}
            onChange={(kind) => change({ kind })}
          />
        }
        isFiltered={search.kind !== undefined}
        onClear={() => change({ q: undefined, kind: undefined })}
        empty={EMPTY}
      />
      {isCreating && kinds !== undefined && firstKind !== undefined && (
        <ConnectionDialog
          kinds={kinds}
          firstKind={firstKind}
          stored={null}
          onClose={() => setCreating(false)}
          onSaved={(connection) => change({ connection })}
        />
      )}
    </AdministrationPage>
  );
}

const COLUMNS: readonly ListColumn<ConnectionRow>[] = [
  { header: 'Name', render: (connection) => <NameLink connection={connection} /> },
  { header: 'Kind', width: 150, render: ({ kind }) => printConnectionKind(kind) },
  {
    header: 'Last used',
    width: 150,
    isExtra: true,
    render: ({ last_used_at }) => (last_used_at ? <TimeText value={last_used_at} isRelative /> : 'Never'),
  },
  {
    header: 'Last error',
    width: 200,
    isExtra: true,
    render: ({ last_error, last_error_at }) =>
      last_error && last_error_at ? (
        <>
          {ERRORS[last_error] ?? last_error} <TimeText value={last_error_at} isRelative />
        </>
      ) : (
        'None'
      ),
  },
];

const EMPTY = (
  <Message
    icon={<DatabaseIcon size={24} />}
    title="No connections"
    text="A connection is a database with a name and the options to open it."
  />
);

/** The errors of a connection, in words. */
const ERRORS: Readonly<Record<string, string>> = {
  unreachable: 'Not reached',
  login: 'Sign-in refused',
  locked: 'Locked by another process',
  full: 'Disk full',
  quota: 'Size limit reached',
};

function NameLink({ connection: { name, description } }: { readonly connection: ConnectionRow }) {
  return (
    <Link
      from="/administration/connections"
      to="/administration/connections"
      search={(before) => ({ ...before, connection: name })}
      className={classes.name}
    >
      {name}
      {description !== '' && (
        <Text component="span" size="sm" c="dimmed">
          {' '}
          {description}
        </Text>
      )}
    </Link>
  );
}
