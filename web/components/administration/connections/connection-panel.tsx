import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ConnectionUser,
  connectionKindsQuery,
  connectionQuery,
  deleteConnection,
  loadConnectionUsers,
  type StoredConnection,
  testConnection,
} from '../../../api/administration/connections.ts';
import { printConnectionKind } from '../../../api/administration/connections-search.ts';
import { CONNECTIONS } from '../../../api/editor/connections.ts';
import { printReason } from '../../catalog/access/print-reason.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { Facts } from '../../facts.tsx';
import { LoadError } from '../../load-error.tsx';
import { notify } from '../../notify.ts';
import { SidePanel } from '../../side-panel.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { useList } from '../../table/use-list.ts';
import { TimeText } from '../../time-text.tsx';
import { Items, PanelHeading } from '../panel-parts.tsx';
import classes from '../row.module.css';
import { ConnectionDialog } from './connection-dialog.tsx';
import { TestResult } from './test-result.tsx';

/** The connection that every home has, which cannot be changed. */
const BUILT_IN = 'duckdb';

interface ConnectionPanelProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** A connection with its settings and its users. */
export function ConnectionPanel({ name, onClose }: ConnectionPanelProps) {
  const { data: connection, error, refetch } = useQuery(connectionQuery(name));
  return (
    <SidePanel title={name} onClose={onClose}>
      {connection === undefined && error !== null && (
        <LoadError title="The connection cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {connection === undefined && error === null && <SkeletonRows label="Loading the connection" />}
      {connection !== undefined && (
        <Stack gap="lg" key={name}>
          <ConnectionFacts connection={connection} />
          <Actions connection={connection} onClose={onClose} />
          <Users name={name} />
        </Stack>
      )}
    </SidePanel>
  );
}

function ConnectionFacts({ connection }: { readonly connection: StoredConnection }) {
  const { kind, description, options, secrets, allowed_overrides, timeout_ms, max_sessions } = connection;
  return (
    <Facts
      facts={{
        Kind: printConnectionKind(kind),
        ...(description === '' ? {} : { Description: description }),
        ...options,
        ...Object.fromEntries(secrets.map((secret) => [secret, 'Set'])),
        'A run may override': allowed_overrides.join(', ') || 'Nothing',
        'Time limit of a run': timeout_ms === null ? 'None' : `${(timeout_ms / 1000).toLocaleString()} s`,
        'Sessions at most': max_sessions === null ? 'No limit' : max_sessions.toLocaleString(),
        Changed: <TimeText value={connection.updated_at} isRelative />,
      }}
    />
  );
}

interface ActionsProps extends Pick<ConnectionPanelProps, 'onClose'> {
  readonly connection: StoredConnection;
}

function Actions({ connection, onClose }: ActionsProps) {
  const { name, kind, options } = connection;
  const client = useQueryClient();
  const { data: kinds } = useQuery(connectionKindsQuery);
  const [dialog, setDialog] = useState<'change' | 'delete' | null>(null);
  const test = useMutation({ mutationFn: () => testConnection(client, { name, kind, options }) });
  const mayChange = name !== BUILT_IN;
  const storedKind = kinds?.find((one) => one.kind === kind);
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="flex-end">
        {kind !== 'semantic' && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
        )}
        {mayChange && (
          <Button variant="default" disabled={storedKind === undefined} onClick={() => setDialog('change')}>
            Change
          </Button>
        )}
        {mayChange && (
          <Button variant="default" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        )}
      </Group>
      {test.data !== undefined && <TestResult test={test.data} />}
      {test.error !== null && <ErrorAlert title="The test did not run" error={test.error} />}
      {!mayChange && (
        <Text size="sm" c="dimmed">
          Every home has this connection: it cannot be changed or deleted.
        </Text>
      )}
      {dialog === 'change' && kinds !== undefined && storedKind !== undefined && (
        <ConnectionDialog
          kinds={kinds}
          firstKind={storedKind}
          stored={connection}
          onClose={() => setDialog(null)}
          onSaved={() => test.reset()}
        />
      )}
      {dialog === 'delete' && (
        <DeleteConnectionDialog name={name} onClose={() => setDialog(null)} onDeleted={onClose} />
      )}
    </Stack>
  );
}

interface DeleteConnectionDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks for confirmation before a connection is deleted. */
function DeleteConnectionDialog({ name, onClose, onDeleted }: DeleteConnectionDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      submitLabel="Delete connection"
      failure={`${name} was not deleted`}
      action={() => deleteConnection(client, name)}
      onDone={() => {
        notify(`Deleted the connection ${name}`);
        onDeleted();
      }}
      onClose={onClose}
    >
      <Text>
        Its secrets and grants are deleted, and scripts that use it fail. Its database stays. You cannot undo
        this.
      </Text>
    </ConfirmDialog>
  );
}

function Users({ name }: { readonly name: string }) {
  const list = useList<ConnectionUser>({
    key: [CONNECTIONS, 'users', name],
    load: (query, signal) => loadConnectionUsers(name, query, signal),
    parameters: {},
    toAfter: ({ user }) => user,
  });
  const { rows, total = 0, error, retry, loadMore } = list;
  return (
    <Stack gap="xs" component="section" aria-label="Users">
      <PanelHeading>Users with access</PanelHeading>
      {rows === undefined && error !== null && (
        <LoadError title="The users cannot be shown" error={error} onRetry={retry} />
      )}
      {rows === undefined && error === null && <SkeletonRows label="Loading users" height={40} />}
      <Items label="Users" none="No user">
        {rows?.map(({ user, level, reasons }) => (
          <li key={user} className={classes.item}>
            <div>
              <Link to="/administration/users" search={{ user }}>
                {user}
              </Link>
              <Text size="xs" c="dimmed">
                {reasons.map(printReason).join('; ')}
              </Text>
            </div>
            <Text size="sm" flex="none">
              {level}
            </Text>
          </li>
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
