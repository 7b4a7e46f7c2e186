import { ActionIcon, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { connectionsQuery } from '../../../api/editor/connections.ts';
import { tablesQuery } from '../../../api/editor/language.ts';
import { useStore } from '../../../api/store.ts';
import { ItemName } from '../../catalog/item/item-name.tsx';
import { ReloadIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { SearchField } from '../../table/search-field.tsx';
import type { RunTarget } from '../workspace/run-target.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { TableTree } from './table-tree.tsx';
import classes from './tables.module.css';
import { useTableActions } from './use-table-actions.ts';

interface TablesPanelProps {
  readonly workspace: EditorWorkspace;
  /** Shows a tab. */
  readonly onShow: (key: string) => void;
  /** Called after something was inserted or opened. */
  readonly onChosen: () => void;
}

/** The tables of the connection on which the shown text runs. */
export function TablesPanel({ workspace, onShow, onChosen }: TablesPanelProps) {
  const target = useStore(workspace.target);
  const { isPending } = useQuery(connectionsQuery);
  if (target === null) return <Note>Open a query or a script to see the tables of its connection.</Note>;
  const { connection } = target;
  if (connection !== null) {
    return <ConnectionTables key={connection} {...{ workspace, target, connection, onShow, onChosen }} />;
  }
  if (isPending) return <Loading />;
  return <Note>There is no connection that you may use. An administrator can give you access.</Note>;
}

interface ConnectionTablesProps extends TablesPanelProps {
  readonly target: RunTarget;
  readonly connection: string;
}

function ConnectionTables({ workspace, target, connection, onShow, onChosen }: ConnectionTablesProps) {
  const { search, toggled } = useStore(workspace.tablesView);
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useTables(connection, search);
  const actions = useTableActions({ workspace, target, connection, onShow, onChosen });
  const reload = () => void client.invalidateQueries({ queryKey: ['tables', connection] });
  return (
    <>
      <div className={classes.head}>
        <Text size="sm" fw={500} component="h2" className={classes.connection}>
          <ItemName name={connection} />
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Reload the tables"
          title="Reload the tables"
          loading={isFetching && data !== undefined}
          onClick={reload}
        >
          <ReloadIcon size={16} />
        </ActionIcon>
      </div>
      <SearchField
        label="Search tables"
        value={search}
        onSearch={(text) => workspace.tablesView.set({ search: text, toggled })}
        className={classes.search}
      />
      {data === undefined && error === null && <Loading />}
      {error !== null && (
        <LoadError title="The tables cannot be listed" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && data?.tables.length === 0 && (
        <Note>
          {search === undefined ? 'This connection has no tables.' : 'No table has this text in its name.'}
        </Note>
      )}
      {error === null && data !== undefined && data.tables.length > 0 && (
        <TableTree
          view={workspace.tablesView}
          tables={data.tables}
          actions={actions}
          isReadOnly={target.isReadOnly}
        />
      )}
      {data !== undefined && data.omitted > 0 && (
        <Note>
          {data.omitted.toLocaleString('en-US')} further tables are not listed: search for a part of the name.
        </Note>
      )}
    </>
  );
}

/** The tables whose name contains a text. The server searches if it has more tables than it lists. */
function useTables(connection: string, search: string | undefined) {
  const all = useQuery(tablesQuery(connection));
  const isAtServer = search !== undefined && all.data !== undefined && all.data.omitted > 0;
  const found = useQuery({ ...tablesQuery(connection, search), enabled: isAtServer });
  const { data, error, isFetching, refetch } = isAtServer ? found : all;
  const shown = useMemo(() => {
    if (data === undefined || isAtServer || search === undefined)
      return data && { tables: data.data, omitted: data.omitted };
    const wanted = search.toLowerCase();
    return { tables: data.data.filter(({ name }) => name.toLowerCase().includes(wanted)), omitted: 0 };
  }, [data, search, isAtServer]);
  return { data: shown, error, isFetching, refetch };
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" className={classes.note}>
      {children}
    </Text>
  );
}

function Loading() {
  return <SkeletonRows label="Loading the tables" count={8} height={24} />;
}
