import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { setPassword } from '../api/profile.ts';
import { sessionQuery } from '../api/session.ts';
import { skipPassword } from '../api/skipped-password.ts';
import { CardPage } from '../components/card-page.tsx';
import { ErrorAlert } from '../components/error-alert.tsx';
import { HiddenUserName, NewPassword } from '../components/profile/password-fields.tsx';

const route = getRouteApi('/choose-password');

/** The page for the first password of a user who has signed in with `quern ui`. */
export function ChoosePasswordPage() {
  const client = useQueryClient();
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const [password, choose] = useState('');
  const { return: next = '/' } = route.useSearch();
  const leave = () => router.history.replace(next);
  const setting = useMutation({
    mutationFn: (chosen: string) => setPassword(client, { next: chosen }),
    onSuccess: leave,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setting.mutate(password);
  };
  const skip = () => {
    skipPassword();
    leave();
  };
  return (
    <CardPage title="Choose a password">
      <div>
        <Title order={1} fz={22}>
          Choose a password
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          You are signed in as {session?.user.user_name}, without a password. With one, you can sign in from
          any browser.
        </Text>
      </div>
      <form onSubmit={submit}>
        <Stack>
          <HiddenUserName value={session?.user.user_name ?? ''} />
          <NewPassword value={password} onChange={choose} autoFocus />
          {setting.error !== null && <ErrorAlert title="The password was not set" error={setting.error} />}
          <Button type="submit" size="md" mt="xs" loading={setting.isPending}>
            Set password
          </Button>
          <Button variant="subtle" onClick={skip}>
            Later
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
