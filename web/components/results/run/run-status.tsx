import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cancelRun, isLive, type RecordedRun, type RunState } from '../../../api/runs/run.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { CheckIcon, ErrorIcon, StopIcon } from '../../icons.tsx';
import { measureRun, printDuration } from './print-run.ts';
import classes from './run.module.css';

/** The pause between two updates of the elapsed time, in milliseconds. */
const TICK_MS = 200;

/** The state of a run: the elapsed time, the rows so far, and a button that cancels it. */
export function RunStatus({ run }: { readonly run: RecordedRun }) {
  const { execution, data } = run;
  const live = isLive(execution);
  const now = useNow(live);
  const client = useQueryClient();
  const cancelling = useMutation({ mutationFn: () => cancelRun(client, execution.id) });
  const rows = data.reduce((sum, result) => sum + (result.kind === 'rows' ? (result.rows ?? 0) : 0), 0);
  return (
    <>
      <Group className={classes.status} gap="sm">
        <StateBadge execution={execution} />
        <Text size="sm" className={classes.figures}>
          {printDuration(measureRun(execution, now + run.clockOffset))}
        </Text>
        {data.length > 0 && (
          <Text size="sm" c="dimmed" className={classes.figures}>
            {printCounted(data.length + (run.omitted ?? 0), 'statement')}
            {(rows > 0 || live || execution.state === 'done') && ` · ${printCounted(rows, 'row')}`}
            {live && ' so far'}
          </Text>
        )}
        {live && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<StopIcon size={14} />}
            loading={cancelling.isPending || cancelling.isSuccess}
            onClick={() => cancelling.mutate()}
          >
            Cancel
          </Button>
        )}
      </Group>
      {cancelling.error !== null && live && (
        <div className={classes.notice}>
          <ErrorAlert title="The run was not cancelled" error={cancelling.error} />
        </div>
      )}
    </>
  );
}

const STATES: Readonly<Record<RunState, readonly [label: string, kind: string]>> = {
  queued: ['Waiting for its turn', 'info'],
  running: ['Running', 'info'],
  done: ['Done', 'success'],
  failed: ['Failed', 'danger'],
  cancelled: ['Cancelled', 'warning'],
};

/** The state in words; screen readers announce changes. */
function StateBadge({ execution }: { readonly execution: RecordedRun['execution'] }) {
  const { state, is_queued_by_database: isQueued } = execution;
  const [label, kind] = STATES[state];
  return (
    <Badge
      role="status"
      size="lg"
      radius="sm"
      className={classes.state}
      data-kind={kind}
      leftSection={<StateIcon state={state} />}
    >
      {isQueued ? 'Queued by the database' : label}
    </Badge>
  );
}

function StateIcon({ state }: { readonly state: RunState }) {
  if (state === 'done') return <CheckIcon size={14} />;
  if (state === 'failed') return <ErrorIcon size={14} />;
  return state === 'cancelled' ? <StopIcon size={14} /> : <Loader size={12} color="currentColor" />;
}

/** The present time, updated while `isTicking`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
