import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SamlSignInTest, startSamlTest } from '../../../api/administration/single-sign-on.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { CheckIcon, ErrorIcon } from '../../icons.tsx';
import { Step } from './step.tsx';

interface SignInTestProps {
  /** The last test of this page. */
  readonly test: SamlSignInTest | undefined;
  /** Why the last test could not be read. */
  readonly error: Error | null;
  readonly onStart: (id: string) => void;
}

/** A sign-in at the identity provider that changes nothing here. */
export function SignInTest({ test, error, onStart }: SignInTestProps) {
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: () => startSamlTest(client),
    onSuccess: ({ id }) => onStart(id),
  });
  const failed = start.error ?? error;
  const passed = test?.outcome?.passed === true;
  return (
    <Step
      title="4. Test"
      description="Sign in at the identity provider without a session here, and see what a real sign-in would do."
      state={passed ? 'done' : 'to do'}
      stateText={passed ? 'passed' : test?.outcome == null ? 'to do' : 'failed'}
    >
      <Group>
        <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
          {test === undefined ? 'Prepare a test sign-in' : 'Prepare another test'}
        </Button>
        {test?.status === 'waiting' && (
          <Anchor href={test.url} target="_blank" rel="noopener noreferrer">
            Sign in at the identity provider
          </Anchor>
        )}
      </Group>
      {test?.status === 'waiting' && (
        <Text size="sm" c="dimmed" role="status">
          Waits for the sign-in on the other tab, for ten minutes.
        </Text>
      )}
      {test?.outcome != null && <Outcome outcome={test.outcome} />}
      {failed !== null && <ErrorAlert title="There is no test" error={failed} />}
    </Step>
  );
}

function Outcome({ outcome }: { readonly outcome: NonNullable<SamlSignInTest['outcome']> }) {
  const { passed, check, text, subject } = outcome;
  return (
    <Alert
      color={passed ? 'blue' : 'red'}
      variant="light"
      icon={passed ? <CheckIcon /> : <ErrorIcon />}
      title={passed ? 'The sign-in would succeed' : `The sign-in would fail: ${check}`}
      role={passed ? 'status' : 'alert'}
    >
      <Stack gap={4}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {subject !== null && <Text size="sm">Signed in there as {subject}</Text>}
      </Stack>
    </Alert>
  );
}
