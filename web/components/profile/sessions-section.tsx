import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endOwnSession, type OwnSession, sessionsQuery } from '../../api/profile.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { notify } from '../notify.ts';
import { Section } from '../section.tsx';
import { DataTable, type ListColumn } from '../table/data-table.tsx';
import { toList } from '../table/use-list.ts';
import { TimeText } from '../time-text.tsx';
import { printDevice } from './device-name.ts';

const METHODS: Readonly<Record<NonNullable<OwnSession['method']>, string>> = {
  password: 'Password',
  sso: 'Single sign-on',
  ui: 'quern ui',
};

/** The user's sessions; the others can be ended. */
export function SessionsSection() {
  const client = useQueryClient();
  const query = useQuery(sessionsQuery);
  const endOthers = useMutation({
    mutationFn: () => endOtherSessions(client),
    onSuccess: () => notify('Signed out everywhere else'),
  });
  const hasOthers = query.data?.some(({ is_current }) => !is_current) === true;
  return (
    <Section
      title="Sessions"
      description="Browsers in which you are signed in."
      action={
        hasOthers && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out all others
          </Button>
        )
      }
    >
      {endOthers.error !== null && <ErrorAlert title="The sessions did not end" error={endOthers.error} />}
      <DataTable
        label="Sessions"
        unit={['session', 'sessions']}
        columns={COLUMNS}
        list={toList(query)}
        toId={({ id }) => id}
      />
    </Section>
  );
}

const COLUMNS: readonly ListColumn<OwnSession>[] = [
  { header: 'Device', render: (session) => <Device session={session} /> },
  { header: 'Address', width: 150, isExtra: true, render: ({ address }) => address ?? 'Unknown' },
  {
    header: 'Signed in with',
    width: 140,
    isExtra: true,
    render: ({ method }) => (method === null ? 'Unknown' : METHODS[method]),
  },
  {
    header: 'Started',
    width: 150,
    isExtra: true,
    render: ({ started_at }) => <TimeText value={started_at} isRelative />,
  },
  {
    header: 'Last seen',
    width: 150,
    render: ({ last_seen_at }) => <TimeText value={last_seen_at} isRelative />,
  },
  { header: 'Sign out', width: 130, render: (session) => <EndButton session={session} /> },
];

function Device({ session: { user_agent, is_current } }: { readonly session: OwnSession }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} title={user_agent ?? undefined}>
        {printDevice(user_agent)}
      </Text>
      {is_current && (
        <Badge size="sm" variant="light">
          This session
        </Badge>
      )}
    </Group>
  );
}

/** The button that ends another session; for the current one, the menu of the user signs out. */
function EndButton({ session }: { readonly session: OwnSession }) {
  const client = useQueryClient();
  const device = printDevice(session.user_agent);
  const end = useMutation({
    mutationFn: () => endOwnSession(client, session),
    onSuccess: () => notify(`Signed out ${device}`),
  });
  if (session.is_current) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={end.isPending}
        onClick={() => end.mutate()}
        aria-label={`Sign out ${device}`}
      >
        Sign out
      </Button>
      {end.error !== null && <ErrorAlert title="The session did not end" error={end.error} />}
    </>
  );
}
