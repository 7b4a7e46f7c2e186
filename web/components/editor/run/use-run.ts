import type { Text } from '@codemirror/state';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { checkScript, type DerivedParameter } from '../../../api/editor/check-script.ts';
import { forgetRun, isLive, listSoon, runQuery, stopRun } from '../../../api/runs/run.ts';
import { startRun } from '../../../api/runs/start-run.ts';
import { keepPart, type ScriptPart } from '../../../language/script-parts.ts';
import { showRunErrors } from '../text/run-errors.ts';
import type { Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { findInvalid, findMissing, toParams, type Values } from './parameter-values.ts';
import { placeText } from './place.ts';
import type { ChosenConnection, ConnectionChoice } from './use-connection.ts';

/** What to run of a text. */
export type RunPart =
  | { readonly kind: 'all' }
  /** The selection, or the statement at the cursor. */
  | ({ readonly kind: 'part' } & ScriptPart)
  | { readonly kind: 'block'; readonly name: string; readonly args: Readonly<Record<string, unknown>> };

interface Running {
  readonly part: RunPart;
  readonly connect: ConnectionChoice['resolve'];
  /** The values of the parameters that the text has now. */
  readonly fill: (parameters: readonly DerivedParameter[]) => Values;
}

/** A started run, or the parameters that need a value first. */
type Started = { readonly runId: string; readonly doc: Text } | { readonly incomplete: readonly string[] };

/** The run of a tab. */
export interface TabRun {
  /** The run that has not ended; null without one. */
  readonly liveRun: string | null;
  /** Stops that run; its results so far remain. */
  readonly stop: () => void;
  readonly isStopping: boolean;
  /** Why the run could not be stopped. */
  readonly stopError: Error | null;
  readonly isPending: boolean;
  /** Why the run could not be started. */
  readonly error: Error | null;
}

interface UseRun extends TabRun {
  /** Runs a part; the last run is stopped first, if it has not ended. */
  readonly run: (running: Running) => void;
}

interface UseRunOptions {
  /** Called with the parameters of what runs, and its connection; returns them as the whole text describes them. */
  readonly onParameters: (
    parameters: readonly DerivedParameter[],
    part: RunPart,
    connection: ChosenConnection,
  ) => readonly DerivedParameter[];
  /** Called with the names of parameters without a valid value. */
  readonly onIncomplete: (names: readonly string[]) => void;
}

/** Runs the text of a tab as it is now, saved or not. */
export function useRun(workspace: EditorWorkspace, tab: Tab, options: UseRunOptions): UseRun {
  const client = useQueryClient();
  const { data: last, error: lastError } = useQuery({
    ...runQuery(tab.runId ?? ''),
    enabled: tab.runId !== null,
  });
  const {
    mutate,
    isPending,
    error,
    data: started,
  } = useMutation({
    mutationFn: async ({ part, connect, fill }: Running): Promise<Started> => {
      const state = workspace.getState(tab.id);
      if (state === undefined) throw new Error('The text is not loaded yet.');
      const content = readPart(state.doc, part);
      const placed = placeText(tab.key, content);
      // Only a text with this character has parameters.
      const derived = content.includes('$') ? await checkScript(client, placed, null) : { parameters: [] };
      const connection = await connect();
      const parameters = options.onParameters(derived.parameters, part, connection);
      const values = fill(parameters);
      const missing = part.kind === 'block' ? [] : findMissing(parameters, values);
      const incomplete = [...missing, ...findInvalid(parameters, values)];
      if (incomplete.length > 0) return { incomplete };
      if (tab.runId !== null) await stopRun(client, tab.runId);
      const { base, path } = placed;
      const runId = await startRun(client, {
        what: 'run',
        base,
        files: [{ path, content }],
        ...printTarget(path, part),
        params: toParams(parameters, values),
        ...(connection.name === '' ? {} : { connection }),
      });
      return { runId, doc: state.doc };
    },
    onSuccess: (started) => {
      if ('incomplete' in started) return options.onIncomplete(started.incomplete);
      workspace.dispatch(tab.id, { effects: showRunErrors.of([]) });
      workspace.setRun(tab.id, started.runId, started.doc);
      listSoon(client);
      // The number of stored runs of a user is limited.
      if (tab.runId !== null) void forgetRun(client, tab.runId);
    },
  });
  // Two requests to run may come before the page is rendered again.
  const isStarting = useRef(false);
  const stopping = useMutation({ mutationFn: (id: string) => stopRun(client, id) });
  const isStarted = started !== undefined && 'runId' in started && started.runId === tab.runId;
  const isRunning = last === undefined ? isStarted && lastError === null : isLive(last.execution);
  return {
    run: (running) => {
      if (isStarting.current) return;
      isStarting.current = true;
      mutate(running, {
        onSettled: () => {
          isStarting.current = false;
        },
      });
    },
    liveRun: isRunning ? tab.runId : null,
    stop: () => tab.runId !== null && stopping.mutate(tab.runId),
    isStopping: stopping.isPending,
    stopError: stopping.error,
    isPending,
    error,
  };
}

/** The text to run; positions in it are those in the text of the tab. */
function readPart(doc: Text, part: RunPart): string {
  const text = doc.toString();
  return part.kind === 'part' ? keepPart(text, part) : text;
}

function printTarget(path: string, part: RunPart) {
  return part.kind === 'block' ? { block: part.name, args: part.args } : { path };
}
