import { Alert, Stack, Text } from '@mantine/core';
import type { RunExecution, RunMessage } from '../../../api/runs/run.ts';
import { ErrorIcon } from '../../icons.tsx';
import classes from './run.module.css';
import { RunDiagnostic } from './run-diagnostic.tsx';

/** Why a run failed, with the place in the source. */
export function RunFailure({ execution }: { readonly execution: RunExecution }) {
  const { error, state } = execution;
  if (error === null || state === 'cancelled') return null;
  const { detail, diagnostics = [] } = error;
  return (
    <div className={classes.notice}>
      <Alert color="red" variant="light" title="The run failed" icon={<ErrorIcon />} role="alert">
        {diagnostics.length === 0 ? (
          <Text size="sm" className={classes.message}>
            {detail}
          </Text>
        ) : (
          <Diagnostics diagnostics={diagnostics} />
        )}
      </Alert>
    </div>
  );
}

/** Errors and warnings, each with its place. */
export function Diagnostics({ diagnostics }: { readonly diagnostics: readonly RunMessage[] }) {
  return (
    <Stack gap="sm">
      {diagnostics.map((diagnostic, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: diagnostics have no identity
        <RunDiagnostic key={i} diagnostic={diagnostic} />
      ))}
    </Stack>
  );
}
