import { Alert, Button, Code, Divider, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { type Credentials, signIn } from '../api/session.ts';
import { type Sso, setupQuery } from '../api/setup.ts';
import classes from '../components/card-page.module.css';
import { CardPage } from '../components/card-page.tsx';
import { WarningIcon } from '../components/icons.tsx';

const route = getRouteApi('/login');

/** The sign-in page (docs/reference/sessions.md#signing-in). */
export function LoginPage() {
  const { return: returnPath, local } = route.useSearch();
  const sso = useQuery(setupQuery).data?.sso ?? null;
  const hasForm = sso?.only !== true || local === 1;
  return (
    <CardPage title="Sign in">
      <div>
        <Title order={1} fz={22}>
          Sign in
        </Title>
        {returnPath !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            Sign in to continue.
          </Text>
        )}
      </div>
      {hasForm && <PasswordHint />}
      {sso !== null && <SsoLink sso={sso} returnPath={returnPath ?? '/'} />}
      {sso !== null && hasForm && <Divider label="or" />}
      {hasForm && <SignInForm returnPath={returnPath ?? '/'} hasFocus={sso === null} />}
      {!hasForm && (
        <Text size="sm" ta="center">
          <Link to="/login" search={{ return: returnPath, local: 1 }} className={classes.quiet}>
            Administrators
          </Link>
        </Text>
      )}
    </CardPage>
  );
}

/** The single sign-on link; the server redirects to another site. */
function SsoLink({ sso, returnPath }: { readonly sso: Sso; readonly returnPath: string }) {
  const href = `${sso.url}?return_to=${encodeURIComponent(returnPath)}`;
  return (
    <Button component="a" href={href} size="md" variant={sso.only ? 'filled' : 'default'}>
      Sign in with {sso.name}
    </Button>
  );
}

/** Instructions to set a password, shown while no administrator has one. */
function PasswordHint() {
  const { data } = useQuery(setupQuery);
  if (data?.administrator_has_password !== false) return null;
  return (
    <Alert variant="light" role="note">
      <Text size="sm" fw={600}>
        No administrator has a password yet
      </Text>
      <Text size="sm">
        Run <Code>quern ui</Code> on the machine of this server, in the folder of its home. It signs you in
        without a password.
      </Text>
    </Alert>
  );
}

interface SignInFormProps {
  readonly returnPath: string;
  readonly hasFocus: boolean;
}

function SignInForm({ returnPath, hasFocus }: SignInFormProps) {
  const client = useQueryClient();
  const router = useRouter();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const attempt = useMutation({
    mutationFn: (credentials: Credentials) => signIn(client, credentials),
    onSuccess: () => router.history.replace(returnPath),
    onError: () => {
      setPassword('');
      passwordField.current?.focus();
    },
  });
  const wait = useCountdown(attempt.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 0) attempt.mutate({ login: login.trim(), password });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="User name or e-mail"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus={hasFocus}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordField}
          label="Password"
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {attempt.error !== null && (
          <Alert color="red" variant="light" icon={<WarningIcon />} role="alert">
            {wait > 0
              ? `Too many failed attempts. Try again in ${printSeconds(wait)}.`
              : attempt.error.message}
          </Alert>
        )}
        <Button type="submit" size="md" mt="xs" loading={attempt.isPending} disabled={wait > 0}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** The remaining seconds of an error's `Retry-After`. */
function useCountdown(error: Error | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const end = Date.now() + seconds * 1000;
    setLeft(seconds);
    if (seconds === 0) return;
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(now);
      if (now === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

function printSeconds(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
