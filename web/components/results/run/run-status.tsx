import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cancelRun, isLive, progressQuery, type RecordedRun } from '../../../api/runs/run.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { CheckIcon, ErrorIcon, StopIcon } from '../../icons.tsx';
import { describeState, isOneStatement, measureRun, printDuration, type StateKind } from './print-run.ts';
import { RoomButton } from './room-button.tsx';
import classes from './run.module.css';

/** The pause between two updates of the elapsed time, in milliseconds. */
const TICK_MS = 200;

interface RunStatusProps {
  readonly run: RecordedRun;
  /** Receives the element for what can be done with the rows of a run of one statement. */
  readonly onToolbar: (element: HTMLElement | null) => void;
}

/** The state of a run: the elapsed time, the rows so far, and a button that cancels it. */
export function RunStatus({ run, onToolbar }: RunStatusProps) {
  const { execution, data } = run;
  const live = isLive(execution);
  const isOne = isOneStatement(run);
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
        {live && <ProgressText id={execution.id} />}
        {data.length > 0 && !isOne && (
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
        <StatementText text={isOne ? (data[0]?.statement.text ?? '') : ''} />
        <div ref={onToolbar} className={classes.tools} />
        <RoomButton />
      </Group>
      {cancelling.error !== null && live && (
        <div className={classes.notice}>
          <ErrorAlert title="The run was not cancelled" error={cancelling.error} />
        </div>
      )}
    </>
  );
}

/** As much of a statement as there is room for; the pointer shows all of it. */
function StatementText({ text }: { readonly text: string }) {
  return (
    <code className={classes.excerpt} title={showDirections(text)}>
      {showDirections(text.replace(/\s+/g, ' '))}
    </code>
  );
}

/** The state in words; screen readers announce changes. */
function StateBadge({ execution }: { readonly execution: RecordedRun['execution'] }) {
  const { label, kind } = describeState(execution);
  return (
    <Badge
      role="status"
      size="lg"
      radius="sm"
      className={classes.state}
      data-kind={kind}
      leftSection={<StateIcon kind={kind} />}
    >
      {label}
    </Badge>
  );
}

function StateIcon({ kind }: { readonly kind: StateKind }) {
  switch (kind) {
    case 'success':
      return <CheckIcon size={14} />;
    case 'danger':
      return <ErrorIcon size={14} />;
    case 'warning':
      return <StopIcon size={14} />;
    case 'info':
      return <Loader size={12} color="currentColor" />;
  }
}

/** The part of the current statement that is done, where the database counts it. */
function ProgressText({ id }: { readonly id: string }) {
  const { data: progress } = useQuery(progressQuery(id));
  if (progress === undefined || progress === null) return null;
  return (
    <Text size="sm" className={classes.figures} title="Part of the current statement that is done">
      {Math.floor(progress * 100)}%
    </Text>
  );
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
