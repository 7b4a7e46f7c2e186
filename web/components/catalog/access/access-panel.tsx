import { Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AccessLevel,
  type CatalogItem,
  levelQuery,
  reloadCatalog,
} from '../../../api/catalog/catalog.ts';
import {
  ACCESS,
  type Access,
  loadAccess,
  restrictedQuery,
  restrictItem,
} from '../../../api/catalog/catalog-grants.ts';
import { getParentPath, isAtOrBelow, isNamespace, PERSONAL } from '../../../api/catalog/catalog-paths.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { LockIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { MessagePart } from '../../message-page.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { DataTable, type ListColumn } from '../../table/data-table.tsx';
import { useList } from '../../table/use-list.ts';
import { ItemName } from '../item/item-name.tsx';
import classes from './access.module.css';
import { GrantList } from './grant-list.tsx';
import { printReason } from './print-reason.ts';

/** The permissions of an item: the user's own level, and for its managers who can see it and the grants on it. */
export function AccessPanel({ item }: { readonly item: CatalogItem }) {
  const { data: level, error, refetch } = useQuery(levelQuery(item.path));
  if (isAtOrBelow(item.path, PERSONAL)) {
    return (
      <MessagePart
        icon={<LockIcon size={24} />}
        title="Only you can see your @Personal"
        text="Nothing in it can be shared. Move or copy an item to @Shared to share it."
      />
    );
  }
  return (
    <div className={classes.panel}>
      {error !== null && (
        <LoadError title="Your permissions cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && level === undefined && <SkeletonRows label="Loading the permissions" height={40} />}
      {error === null && level !== undefined && <Panel path={item.path} level={level} />}
    </div>
  );
}

const MEANINGS: Readonly<Record<AccessLevel, string>> = {
  NONE: 'You may list this namespace, but you have no permission on it.',
  VIEW: 'You may see, read and run this item.',
  EDIT: 'You may see, run, change, move and delete this item.',
  MANAGE: 'You may do everything with this item, and decide who may use it.',
};

function Panel({ path, level }: { readonly path: string; readonly level: AccessLevel }) {
  return (
    <Stack gap="lg">
      <Text size="sm">
        <Text span fw={600}>
          Your level is {level}.
        </Text>{' '}
        {MEANINGS[level]}
        {level !== 'MANAGE' && ' Only users with the level MANAGE see who else has access.'}
      </Text>
      {level === 'MANAGE' && (
        <div className={classes.columns}>
          <Stack gap="xl">
            <GrantList path={path} />
            <Restriction path={path} />
          </Stack>
          <AccessList path={path} />
        </div>
      )}
    </Stack>
  );
}

/** Whether grants on the folders above an item apply to it, and the switch that changes this. */
function Restriction({ path }: { readonly path: string }) {
  const client = useQueryClient();
  const { data: isStored } = useQuery(restrictedQuery(path));
  // The state of the mutation would follow a moment after the click, and the switch would jump back and forth.
  const [chosen, setChosen] = useState<boolean>();
  const change = useMutation({
    mutationFn: (isRestricted: boolean) => restrictItem(client, path, isRestricted),
    onSettled: async () => {
      await reloadCatalog(client);
      setChosen(undefined);
    },
  });
  const choose = (isRestricted: boolean) => {
    setChosen(isRestricted);
    change.mutate(isRestricted);
  };
  if (isNamespace(path) || isStored === undefined) return null;
  const isByNature = getParentPath(path) === '@Project Hub';
  return (
    <>
      <Switch
        label="Restricted"
        description={
          isByNature
            ? 'Items directly in @Project Hub are always restricted: only grants on them and below count.'
            : 'Grants on the folders above do not count here and below. You keep MANAGE.'
        }
        checked={chosen ?? isStored}
        disabled={isByNature || change.isPending}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {change.error !== null && <ErrorAlert title="The restriction was not changed" error={change.error} />}
    </>
  );
}

/** The users who can see an item, with their level and why. */
function AccessList({ path }: { readonly path: string }) {
  const [q, setQ] = useState<string | undefined>();
  const list = useList<Access>({
    key: [...ACCESS, path],
    load: (query, signal) => loadAccess(path, query, signal),
    parameters: { q },
    toAfter: ({ user }) => user,
  });
  return (
    <Stack gap="sm" className={classes.users}>
      <Title order={2} fz="md">
        Who can see this
      </Title>
      <DataTable
        label="Users with access"
        unit={['user', 'users']}
        columns={COLUMNS}
        list={list}
        toId={({ user }) => user}
        search={{ q }}
        onSearch={(change) => setQ(change.q)}
        onClear={() => setQ(undefined)}
      />
    </Stack>
  );
}

const COLUMNS: readonly ListColumn<Access>[] = [
  {
    header: 'User',
    width: 140,
    render: ({ user, display_name }) => (
      <ItemName name={display_name === '' ? user : `${display_name} (${user})`} />
    ),
  },
  { header: 'Level', width: 90, render: ({ level }) => level },
  {
    header: 'Why',
    render: ({ reasons }) =>
      reasons.map(printReason).map((text) => (
        <div key={text} className={classes.reason}>
          {text}
        </div>
      )),
  },
];
