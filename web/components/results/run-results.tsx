import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useState } from 'react';
import { isGone, readRunTime, runQuery } from '../../api/runs/run.ts';
import { sessionQuery } from '../../api/session.ts';
import { SearchIcon } from '../icons.tsx';
import { LoadError } from '../load-error.tsx';
import { Message } from '../message-page.tsx';
import { SkeletonRows } from '../skeleton-rows.tsx';
import { isOneStatement } from './run/print-run.ts';
import { RoomButton } from './run/room-button.tsx';
import { ToolbarContext } from './run/room-context.ts';
import classes from './run/run.module.css';
import { RunFailure } from './run/run-error.tsx';
import { RunStatus } from './run/run-status.tsx';
import { type RunTab, RunTabs } from './run/run-tabs.tsx';
import { SideContext } from './side/side-context.ts';
import { SideFrame } from './side/side-frame.tsx';

interface RunResultsProps {
  readonly runId: string;
  /** The tab in the address of the page; absent if the component keeps it itself. */
  readonly tab?: RunTab | undefined;
  readonly onTab?: (tab: RunTab) => void;
}

/** Everything about one run: its state, and the results of its statements while they arrive. */
export function RunResults({ runId, ...tabs }: RunResultsProps) {
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null);
  if (error !== null && isGone(error)) return <Gone runId={runId} />;
  if (error !== null && run === undefined) {
    return (
      <div className={classes.notice}>
        <RoomButton />
        <LoadError title="The run cannot be shown" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (run === undefined) {
    return (
      <div className={classes.notice}>
        <SkeletonRows label="Loading the run" count={4} height={32} />
      </div>
    );
  }
  return (
    <WithSide>
      <section className={classes.root} aria-label="Run">
        <RunStatus run={run} onToolbar={setToolbar} />
        <RunFailure execution={run.execution} />
        <ToolbarContext value={isOneStatement(run) ? toolbar : undefined}>
          <RunTabs key={runId} run={run} {...tabs} />
        </ToolbarContext>
      </section>
    </WithSide>
  );
}

/** The panel on the right of the results, unless it is on the right of the page. */
function WithSide({ children }: { readonly children: ReactNode }) {
  const isAround = use(SideContext) !== null;
  return isAround ? children : <SideFrame>{children}</SideFrame>;
}

/** A run that is not stored, or that another user started: both look the same. */
function Gone({ runId }: { readonly runId: string }) {
  const { data: session } = useQuery({ ...sessionQuery, staleTime: 0 });
  const isEarlier = session != null && readRunTime(runId) < Date.parse(session.server_started_at);
  return (
    <div className={classes.notice}>
      <RoomButton />
      <Message
        icon={<SearchIcon size={24} />}
        title="Run not found"
        text={
          isEarlier
            ? 'The server has restarted since, and the results of earlier runs are lost. Run it again to see its results.'
            : 'The results of a run are stored for a limited time, and only for the user who started it. Run it again to see its results.'
        }
      />
    </div>
  );
}
