import { Badge, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Access, accessQuery } from '../../../api/catalog/catalog-grants.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { ItemName } from '../item/item-name.tsx';
import { printCounted } from '../view/print-size.ts';
import classes from './access.module.css';
import { printReason } from './print-reason.ts';

/** The maximum of users to draw at once. */
const MAX_DRAWN = 200;

/** The users who can see an item, with their level and why. */
export function AccessList({ path }: { readonly path: string }) {
  const { data, error, refetch } = useQuery(accessQuery(path));
  const [filter, setFilter] = useState('');
  if (error !== null) {
    return <ErrorAlert title="The users cannot be listed" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows label="Loading the users" height={40} />;
  const wanted = filter.toLowerCase();
  const matches = data.data.filter(({ user, display_name }) =>
    `${user} ${display_name}`.toLowerCase().includes(wanted),
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} fz="md">
          Who can see this
        </Title>
        <Text size="sm" c="dimmed">
          {printCounted(data.data.length, 'user')}
        </Text>
      </Group>
      {data.data.length > 10 && (
        <TextInput
          size="xs"
          aria-label="Find a user"
          placeholder="Find a user"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} aria-label="Users with access">
        {matches.slice(0, MAX_DRAWN).map((access) => (
          <li key={access.user} className={classes.user}>
            <UserAccess access={access} />
          </li>
        ))}
      </ul>
      {matches.length > MAX_DRAWN && (
        <Text size="sm" c="dimmed">
          {printCounted(matches.length - MAX_DRAWN, 'more user')}: type a name to find them.
        </Text>
      )}
    </Stack>
  );
}

function UserAccess({ access: { user, display_name, level, reasons } }: { readonly access: Access }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} component="span" className={classes.name}>
          <ItemName name={display_name === '' ? user : `${display_name} (${user})`} />
        </Text>
        <Badge variant="light" size="sm" style={{ flexShrink: 0 }}>
          {level}
        </Badge>
      </Group>
      {reasons.map((reason) => {
        const text = printReason(reason);
        return (
          <Text key={text} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        );
      })}
    </>
  );
}
