import { Button, Group, NativeSelect } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ParametersForm } from '../editor/run/parameters-form.tsx';
import type { ConnectionChoice } from '../editor/run/use-connection.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { PlayIcon, StopIcon } from '../icons.tsx';
import { printKeys, SHORTCUTS } from '../shortcuts/shortcuts.ts';
import { SkeletonRows } from '../skeleton-rows.tsx';
import { usePart } from '../use-part.ts';
import classes from './run-text.module.css';
import { type RunnableText, useTextRun } from './use-text-run.ts';

interface RunTextProps extends RunnableText {
  readonly label: 'Run' | 'Run again';
  /** The run whose results are shown, if there is one. */
  readonly runId: string | undefined;
  /** The connection of that run, if it is known. */
  readonly connection?: string | undefined;
  readonly onStarted: (runId: string) => void;
  /** The results; by default those of the run. */
  readonly results?: ReactNode;
  /** The text. */
  readonly children: ReactNode;
}

/** The height of a line of the text, and the space around the lines, in pixels. */
const [LINE_HEIGHT, SPACE] = [20, 18];

/** A text that is run without the editor: its connection, its parameters as fields, the text, and the results below. */
export function RunText({ label, results, children, ...text }: RunTextProps) {
  const run = useTextRun(text);
  const { runId, content } = text;
  const start = () => {
    if (!run.isPending && !run.isRunning) run.run();
  };
  useHotkeys([[SHORTCUTS.here.keys, start]], [], true);
  const isShared = runId !== undefined;
  return (
    <>
      <Group gap="xs" justify="flex-end" className={classes.bar}>
        <ConnectionField choice={run.connection} />
        {run.isRunning ? (
          <Button size="xs" leftSection={<StopIcon size={14} />} loading={run.isStopping} onClick={run.stop}>
            Stop
          </Button>
        ) : (
          <Button
            size="xs"
            leftSection={<PlayIcon size={14} />}
            loading={run.isPending}
            disabled={run.connection.name === '' && run.connection.project === null}
            title={printKeys(SHORTCUTS.here)}
            onClick={start}
          >
            {label}
          </Button>
        )}
      </Group>
      <ParametersForm
        parameters={run.parameters}
        values={run.values}
        onChange={run.setValue}
        missing={run.incomplete}
      />
      {run.error !== null && (
        <div className={classes.error}>
          <ErrorAlert title="The run was not started" error={run.error} />
        </div>
      )}
      <div
        className={classes.text}
        data-shared={isShared || undefined}
        style={isShared ? { height: `min(40%, ${content.split('\n').length * LINE_HEIGHT + SPACE}px)` } : {}}
      >
        {children}
      </div>
      {isShared && <div className={classes.results}>{results ?? <Results runId={runId} />}</div>}
    </>
  );
}

/** The connection on which the text runs. */
function ConnectionField({ choice }: { readonly choice: ConnectionChoice }) {
  const { name, choose, connections, error, project } = choice;
  const none = error === null ? 'No connection to use' : 'Connections cannot be listed';
  const first = project === null ? none : `${project} (project)`;
  return (
    <NativeSelect
      size="xs"
      className={classes.connection}
      aria-label="Connection"
      data={[
        ...(project !== null || connections.length === 0 ? [{ value: '', label: first }] : []),
        ...connections.map((connection) => ({ value: connection.name, label: connection.name })),
      ]}
      value={name}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

const loadResults = () => import('../results/run-results.tsx');

/** The results, whose code is loaded with the first run. */
function Results({ runId }: { readonly runId: string }) {
  const { part, error, retry } = usePart(loadResults);
  if (part !== null) return <part.RunResults key={runId} runId={runId} />;
  if (error !== null) return <ErrorAlert title="The results cannot be shown" error={error} onRetry={retry} />;
  return <SkeletonRows label="Loading the results" count={4} height={32} />;
}
