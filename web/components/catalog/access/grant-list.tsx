import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  NativeSelect,
  type OptionsFilter,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { groupSearchQuery } from '../../../api/administration/groups.ts';
import { userSearchQuery } from '../../../api/administration/users.ts';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import {
  deleteGrant,
  type GrantableLevel,
  grantsQuery,
  type ItemGrant,
  setGrant,
} from '../../../api/catalog/catalog-grants.ts';
import { isAdministrator } from '../../../api/session.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { useSession } from '../../../api/use-session.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { TrashIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { ItemName } from '../item/item-name.tsx';
import classes from './access.module.css';
import { printSubject } from './print-reason.ts';

/** The grants on an item itself, which its managers add, change and revoke. */
export function GrantList({ path }: { readonly path: string }) {
  const client = useQueryClient();
  const { data: grants, error, refetch } = useQuery(grantsQuery(path));
  const reload = () => reloadCatalog(client);
  const change = useMutation({
    mutationFn: (grant: ItemGrant) => setGrant(client, grant),
    onSettled: reload,
  });
  const deletion = useMutation({
    mutationFn: (grant: ItemGrant) => deleteGrant(client, grant),
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
        <LoadError title="The grants cannot be listed" error={error} onRetry={() => void refetch()} />
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
  readonly grant: ItemGrant;
  readonly isPending: boolean;
  readonly onChange: (level: GrantableLevel) => void;
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

interface GrantFormProps {
  readonly path: string;
  readonly onGranted: () => void;
}

type SubjectKind = 'user' | 'group' | 'everyone';

const KINDS = [
  { value: 'user', label: 'User' },
  { value: 'group', label: 'Group' },
  { value: 'everyone', label: 'Everyone' },
];

/** Grants a level on an item to a user, a group or everyone. */
function GrantForm({ path, onGranted }: GrantFormProps) {
  const client = useQueryClient();
  const [kind, setKind] = useState<SubjectKind>('user');
  const [name, setName] = useState('');
  const [level, setLevel] = useState(readLevel(''));
  const names = useNames(kind, name);
  const grant = useMutation({
    mutationFn: () => {
      const subject = kind === 'everyone' ? kind : `${kind}:${name}`;
      return setGrant(client, { subject, level, target: path });
    },
    onSuccess: () => {
      setName('');
      onGranted();
    },
  });
  useUnsaved(name !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    grant.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Grant a level">
      <Stack gap="sm">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            size="xs"
            label="Grant to"
            data={KINDS}
            value={kind}
            onChange={(event) => setKind(readKind(event.currentTarget.value))}
          />
          {kind !== 'everyone' && (
            <Autocomplete
              size="xs"
              label={kind === 'user' ? 'User name' : 'Group name'}
              required
              flex={1}
              miw={140}
              limit={50}
              data={names}
              filter={keepAll}
              value={name}
              onChange={setName}
            />
          )}
          <NativeSelect
            size="xs"
            label="Level"
            data={[...LEVELS]}
            value={level}
            onChange={(event) => setLevel(readLevel(event.currentTarget.value))}
          />
          <Button size="xs" type="submit" loading={grant.isPending}>
            Grant
          </Button>
        </Group>
        {grant.error !== null && <ErrorAlert title="Nothing was granted" error={grant.error} />}
      </Stack>
    </form>
  );
}

/** The names to suggest for a text; only administrators can list them. The server searches them. */
function useNames(kind: SubjectKind, text: string): string[] {
  const { user } = useSession();
  const mayList = isAdministrator(user);
  const [searched] = useDebouncedValue(text, 200);
  const { data: users = [] } = useQuery({
    ...userSearchQuery(searched),
    enabled: mayList && kind === 'user',
  });
  const { data: groups = [] } = useQuery({
    ...groupSearchQuery(searched),
    enabled: mayList && kind === 'group',
  });
  return kind === 'user' ? users.map(({ user_name }) => user_name) : groups;
}

/** The server has searched already, also in what is not in the names. */
const keepAll: OptionsFilter = ({ options }) => options;

function readKind(text: string): SubjectKind {
  return text === 'group' || text === 'everyone' ? text : 'user';
}

/** The levels that can be granted, the lowest first. */
const LEVELS: readonly GrantableLevel[] = ['VIEW', 'EDIT', 'MANAGE'];

/** The level of a choice; the lowest for anything else. */
function readLevel(text: string): GrantableLevel {
  return LEVELS.find((level) => level === text) ?? 'VIEW';
}
