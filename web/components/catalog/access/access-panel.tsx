import { Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AccessLevel,
  type CatalogItem,
  levelQuery,
  reloadCatalog,
} from '../../../api/catalog/catalog.ts';
import { accessQuery, restrictItem } from '../../../api/catalog/catalog-grants.ts';
import { getParentPath, isAtOrBelow, isNamespace } from '../../../api/catalog/catalog-paths.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { LockIcon } from '../../icons.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { Message, MessageText } from '../item/message.tsx';
import classes from './access.module.css';
import { AccessList } from './access-list.tsx';
import { GrantList } from './grant-list.tsx';

/** The permissions of an item: the user's own level, and for its managers who can see it and the grants on it. */
export function AccessPanel({ item }: { readonly item: CatalogItem }) {
  const { data: level, error, refetch } = useQuery(levelQuery(item.path));
  if (isAtOrBelow(item.path, '@Personal')) {
    return (
      <Message icon={<LockIcon size={26} />} title="Only you can see your @Personal">
        <MessageText>Nothing in it can be shared. Move or copy an item to @Shared to share it.</MessageText>
      </Message>
    );
  }
  return (
    <div className={classes.panel}>
      {error !== null && (
        <ErrorAlert title="Your permissions cannot be shown" error={error} onRetry={() => void refetch()} />
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
  const { data } = useQuery(accessQuery(path));
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
  if (isNamespace(path) || data === undefined) return null;
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
        checked={chosen ?? data.restricted}
        disabled={isByNature || change.isPending}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {change.error !== null && <ErrorAlert title="The restriction was not changed" error={change.error} />}
    </>
  );
}
