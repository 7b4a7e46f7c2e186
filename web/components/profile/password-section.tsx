import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type PasswordChange, type Profile, setPassword } from '../../api/profile.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { notify } from '../notify.ts';
import { Section } from '../section.tsx';
import { CurrentPassword, HiddenUserName, NewPassword } from './password-fields.tsx';

/** The change of the user's own password, or why it cannot be changed here. */
export function PasswordSection({ profile }: { readonly profile: Profile }) {
  const { user_name, password } = profile;
  if (password === 'external') {
    return (
      <Section title="Password">
        <Text size="sm">
          You sign in with your identity provider, which keeps your password. Change it there.
        </Text>
      </Section>
    );
  }
  if (password === 'none') {
    return (
      <Section title="Password">
        <Text size="sm">
          You have no password. An administrator can set one. The owner of the home runs <Code>quern ui</Code>{' '}
          on the machine of this server, and then chooses one here.
        </Text>
      </Section>
    );
  }
  return <PasswordForm key={password} userName={user_name} hasPassword={password === 'change'} />;
}

interface PasswordFormProps {
  readonly userName: string;
  readonly hasPassword: boolean;
}

function PasswordForm({ userName, hasPassword }: PasswordFormProps) {
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: (change: PasswordChange) => setPassword(client, change),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      notify(hasPassword ? 'Changed the password' : 'Set the password');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(hasPassword ? { current, next } : { next });
  };
  return (
    <Section
      title="Password"
      description={hasPassword ? 'A change signs you out everywhere else.' : 'Choose your first password.'}
    >
      <form onSubmit={submit}>
        <Stack gap="sm" maw={420}>
          <HiddenUserName value={userName} />
          {hasPassword && <CurrentPassword value={current} onChange={setCurrent} />}
          <NewPassword value={next} onChange={setNext} />
          {change.error !== null && <ErrorAlert title="The password was not changed" error={change.error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
