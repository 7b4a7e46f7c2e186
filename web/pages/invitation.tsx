import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { redeemInvitation } from '../api/session.ts';
import { CardPage } from '../components/card-page.tsx';
import { ErrorAlert } from '../components/error-alert.tsx';
import { NewPassword } from '../components/profile/password-fields.tsx';

/** The page of an invitation's link, where a person chooses a password (docs/reference/invitations.md). */
export function InvitationPage() {
  const client = useQueryClient();
  const router = useRouter();
  const [password, choose] = useState('');
  const secret = window.location.hash.slice(1);
  const redemption = useMutation({
    mutationFn: (chosen: string) => redeemInvitation(client, { secret, password: chosen }),
    // The secret must not stay in the history of the browser.
    onSuccess: () => router.history.replace('/'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redemption.mutate(password);
  };
  return (
    <CardPage title="Invitation">
      <div>
        <Title order={1} fz={22}>
          Choose a password
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {secret === ''
            ? 'This link is not complete: copy all of it, to its last character.'
            : 'You were invited to Quern. With a password you can sign in from any browser.'}
        </Text>
      </div>
      {secret !== '' && (
        <form onSubmit={submit}>
          <Stack>
            <NewPassword value={password} onChange={choose} autoFocus />
            {redemption.error !== null && (
              <ErrorAlert title="The password was not set" error={redemption.error} />
            )}
            <Button type="submit" size="md" mt="xs" loading={redemption.isPending}>
              Set password and sign in
            </Button>
          </Stack>
        </form>
      )}
    </CardPage>
  );
}
