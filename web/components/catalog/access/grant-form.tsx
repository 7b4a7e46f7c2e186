import { Autocomplete, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { groupNamesQuery, setGrant } from '../../../api/catalog/catalog-grants.ts';
import { isAdministrator } from '../../../api/session.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { useSession } from '../../../api/use-session.ts';
import { usersQuery } from '../../../api/users.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { LEVELS, readLevel } from './levels.ts';

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
export function GrantForm({ path, onGranted }: GrantFormProps) {
  const client = useQueryClient();
  const [kind, setKind] = useState<SubjectKind>('user');
  const [name, setName] = useState('');
  const [level, setLevel] = useState(readLevel(''));
  const names = useNames(kind);
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

/** The names to suggest; only administrators can list them. */
function useNames(kind: SubjectKind): string[] {
  const { user } = useSession();
  const mayList = isAdministrator(user);
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: mayList && kind === 'user' });
  const { data: groups = [] } = useQuery({ ...groupNamesQuery, enabled: mayList && kind === 'group' });
  return kind === 'user'
    ? users.map(({ user_name }) => user_name)
    : groups.filter((name) => name !== 'everyone');
}

function readKind(text: string): SubjectKind {
  return text === 'group' || text === 'everyone' ? text : 'user';
}
