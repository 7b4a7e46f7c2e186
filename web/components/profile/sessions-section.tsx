import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endOwnSession, type OwnSession, sessionsQuery } from '../../api/profile.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { Facts } from '../facts.tsx';
import { LoadError } from '../load-error.tsx';
import { notify } from '../notify.ts';
import { Section } from '../section.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import { TimeText } from '../time-text.tsx';
import { printDevice } from './device-name.ts';
import classes from './sessions-section.module.css';

const METHODS: Readonly<Record<NonNullable<OwnSession['method']>, string>> = {
  password: 'Password',
  sso: 'Single sign-on',
  ui: 'quern ui',
};

/** The user's sessions; the others can be ended. */
export function SessionsSection() {
  const client = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const endOthers = useMutation({
    mutationFn: () => endOtherSessions(client),
    onSuccess: () => notify('Signed out everywhere else'),
  });
  const hasOthers = sessions?.some(({ is_current }) => !is_current) === true;
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
      {sessions === undefined && error !== null && (
        <LoadError title="The sessions cannot be shown" error={error} onRetry={() => void refetch()} />
      )}
      {sessions === undefined && error === null && <SkeletonRows label="Loading sessions" count={2} />}
      {sessions !== undefined && (
        <ul className={classes.list} aria-label="Sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function SessionRow({ session }: { readonly session: OwnSession }) {
  const client = useQueryClient();
  const device = printDevice(session.user_agent);
  const end = useMutation({
    mutationFn: () => endOwnSession(client, session),
    onSuccess: () => notify(`Signed out ${device}`),
  });
  return (
    <li className={classes.row}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} className={classes.facts}>
          <Group gap="xs">
            <Text size="sm" fw={600} title={session.user_agent ?? undefined}>
              {device}
            </Text>
            {session.is_current && (
              <Badge size="sm" variant="light">
                This session
              </Badge>
            )}
          </Group>
          <Facts columns={4} facts={printFacts(session)} />
        </Stack>
        {!session.is_current && (
          <Button
            size="xs"
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate()}
            aria-label={`Sign out ${device}`}
          >
            Sign out
          </Button>
        )}
      </Group>
      {end.error !== null && <ErrorAlert title="The session did not end" error={end.error} />}
    </li>
  );
}

function printFacts({ address, method, started_at, last_seen_at }: OwnSession) {
  return {
    Address: address ?? 'Unknown',
    ...(method === null ? {} : { 'Signed in with': METHODS[method] }),
    Started: <TimeText value={started_at} isRelative />,
    'Last seen': <TimeText value={last_seen_at} isRelative />,
  };
}
