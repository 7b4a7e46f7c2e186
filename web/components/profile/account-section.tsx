import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ACCOUNT_SOURCES } from '../../api/administration/users-search.ts';
import { type Profile, setDisplayName } from '../../api/profile.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { Facts } from '../facts.tsx';
import { notify } from '../notify.ts';
import { Section } from '../section.tsx';

/** The user's name, and the facts that only an administrator or an identity provider can change. */
export function AccountSection({ profile }: { readonly profile: Profile }) {
  const { user_name, email, role, groups, origin, is_local } = profile;
  const facts = {
    'User name': user_name,
    'E-mail': email ?? 'None',
    Role: role,
    Groups: groups.length === 0 ? 'None' : groups.join(', '),
    Account: ACCOUNT_SOURCES[origin],
  };
  return (
    <Section
      title="Account"
      description={
        is_local
          ? 'You can change the display name. An administrator changes the rest.'
          : 'Your identity provider keeps these values.'
      }
    >
      {is_local ? (
        <DisplayNameForm profile={profile} />
      ) : (
        <Facts facts={{ 'Display name': profile.display_name || 'None' }} />
      )}
      <Facts facts={facts} />
    </Section>
  );
}

function DisplayNameForm({ profile }: { readonly profile: Profile }) {
  const client = useQueryClient();
  const [name, setName] = useState(profile.display_name);
  const change = useMutation({
    mutationFn: (displayName: string) => setDisplayName(client, displayName),
    onSuccess: () => notify('Changed the display name'),
  });
  const isSame = name.trim() === profile.display_name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSame) change.mutate(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            label="Display name"
            name="name"
            autoComplete="name"
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            style={{ flex: '1 1 220px', maxWidth: 420 }}
          />
          <Button type="submit" loading={change.isPending} disabled={isSame}>
            Save
          </Button>
        </Group>
        {change.error !== null && <ErrorAlert title="The name was not changed" error={change.error} />}
      </Stack>
    </form>
  );
}
