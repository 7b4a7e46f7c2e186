import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ConnectionTest } from '../../../api/administration/connections.ts';
import { CheckIcon, ErrorIcon } from '../../icons.tsx';

type TestStep = ConnectionTest['steps'][number];

const STEPS: Readonly<Record<TestStep['step'], string>> = {
  resolve: 'Look up',
  connect: 'Connect',
  sign_in: 'Sign in',
  ask: 'Ask for the version',
};

/** What a test of a connection has found, step by step. */
export function TestResult({ test }: { readonly test: ConnectionTest }) {
  const { passed, version, duration_ms, steps } = test;
  return (
    <Alert
      color={passed ? 'blue' : 'red'}
      variant="light"
      icon={passed ? <CheckIcon /> : <ErrorIcon />}
      title={passed ? `The test passed in ${duration_ms.toLocaleString()} ms` : 'The test failed'}
      role={passed ? 'status' : 'alert'}
    >
      <Stack gap={4}>
        {steps.map((step) => (
          <StepLine key={step.step} step={step} />
        ))}
        {version !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {version}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function StepLine({ step: { step, outcome, duration_ms, message } }: { readonly step: TestStep }) {
  if (outcome === 'skipped') return null;
  return (
    <Group gap="xs" align="baseline">
      <Text size="sm" fw={500}>
        {STEPS[step]}
      </Text>
      <Text size="sm">{outcome === 'passed' ? `${duration_ms.toLocaleString()} ms` : 'failed'}</Text>
      {message !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
    </Group>
  );
}
