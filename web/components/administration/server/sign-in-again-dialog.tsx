import { Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signInAgain } from '../../../api/session.ts';
import { setupQuery } from '../../../api/setup.ts';
import { useSession } from '../../../api/use-session.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';

interface SignInAgainDialogProps {
  /** Why it is needed. */
  readonly reason: string;
  readonly onClose: () => void;
  readonly onSignedIn: () => void;
}

/** Asks the user for the password, or leads to single sign-on, where a recent sign-in is needed. */
export function SignInAgainDialog({ reason, onClose, onSignedIn }: SignInAgainDialogProps) {
  const client = useQueryClient();
  const { user, may_choose_password } = useSession();
  const { data: setup } = useQuery(setupQuery);
  const [password, setPassword] = useState('');
  const attempt = useMutation({
    mutationFn: () => signInAgain(client, { login: user.user_name, password }),
    onSuccess: onSignedIn,
    onError: () => setPassword(''),
  });
  const here = `${window.location.pathname}${window.location.search}`;
  return (
    <FormDialog
      title="Sign in again"
      submitLabel="Continue"
      onSubmit={() => attempt.mutate()}
      onClose={onClose}
      isPending={attempt.isPending}
      isDirty={password !== ''}
      isDisabled={password === ''}
    >
      <Text size="sm">{reason}</Text>
      {may_choose_password && (
        <Text size="sm">
          You have no password yet: choose one in your{' '}
          <Anchor component={Link} to="/profile" size="sm" underline="always">
            profile
          </Anchor>{' '}
          first.
        </Text>
      )}
      <PasswordInput
        label={`Password of ${user.user_name}`}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {setup?.sso && (
        <Button
          component="a"
          href={`${setup.sso.url}?return_to=${encodeURIComponent(here)}`}
          variant="default"
        >
          Sign in with {setup.sso.name} instead
        </Button>
      )}
      {attempt.error !== null && <ErrorAlert title="You were not signed in" error={attempt.error} />}
    </FormDialog>
  );
}
