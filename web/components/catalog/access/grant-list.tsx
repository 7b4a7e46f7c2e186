import { ActionIcon, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  deleteGrant,
  type Grant,
  type GrantedLevel,
  grantsQuery,
  setGrant,
} from '../../../api/catalog/catalog-grants.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { TrashIcon } from '../../icons.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { ItemName } from '../item/item-name.tsx';
import classes from './access.module.css';
import { GrantForm } from './grant-form.tsx';
import { LEVELS, readLevel } from './levels.ts';
import { printSubject } from './print-reason.ts';

/** The grants on an item itself, which its managers add, change and revoke. */
export function GrantList({ path }: { readonly path: string }) {
  const client = useQueryClient();
  const { data: grants, error, refetch } = useQuery(grantsQuery(path));
  const reload = () => reloadCatalog(client);
  const change = useMutation({ mutationFn: (grant: Grant) => setGrant(client, grant), onSettled: reload });
  const deletion = useMutation({
    mutationFn: (grant: Grant) => deleteGrant(client, grant),
    onSettled: reload,
  });
  const isPending = change.isPending || deletion.isPending;
  const failed = change.error ?? deletion.error;
  return (
    <Stack gap="sm">
      <Title order={2} fz="md">
        Grants on this item
      </Title>
      {error !== null && (
        <ErrorAlert title="The grants cannot be listed" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && grants === undefined && <SkeletonRows label="Loading the grants" height={40} />}
      {grants?.length === 0 && (
        <Text size="sm" c="dimmed">
          There are no grants on this item itself.
        </Text>
      )}
      {grants !== undefined && grants.length > 0 && (
        <ul className={classes.list} aria-label="Grants">
          {grants.map((grant) => (
            <li key={grant.subject} className={classes.grant}>
              <GrantRow
                grant={grant}
                isPending={isPending}
                onChange={(level) => change.mutate({ ...grant, level })}
                onDelete={() => deletion.mutate(grant)}
              />
            </li>
          ))}
        </ul>
      )}
      {failed !== null && <ErrorAlert title="The grant was not changed" error={failed} />}
      <GrantForm path={path} onGranted={reload} />
    </Stack>
  );
}

interface GrantRowProps {
  readonly grant: Grant;
  readonly isPending: boolean;
  readonly onChange: (level: GrantedLevel) => void;
  readonly onDelete: () => void;
}

function GrantRow({ grant: { subject, level }, isPending, onChange, onDelete }: GrantRowProps) {
  const name = printSubject(subject);
  return (
    <>
      <span className={classes.subject}>
        <ItemName name={name} />
      </span>
      <NativeSelect
        size="xs"
        aria-label={`Level of ${name}`}
        data={[...LEVELS]}
        value={level}
        disabled={isPending}
        onChange={(event) => onChange(readLevel(event.currentTarget.value))}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={`Revoke the grant of ${name}`}
        disabled={isPending}
        onClick={onDelete}
      >
        <TrashIcon size={16} />
      </ActionIcon>
    </>
  );
}
