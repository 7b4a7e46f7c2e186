import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DerivedParameter, textParametersQuery } from '../../api/editor/check-script.ts';
import { isLive, listSoon, runQuery, stopRun } from '../../api/runs/run.ts';
import { startRun } from '../../api/runs/start-run.ts';
import { findInvalid, findMissing, toParams, type Values } from '../editor/run/parameter-values.ts';
import { placeText } from '../editor/run/place.ts';
import type { ConnectionChoice } from '../editor/run/use-connection.ts';
import { useRunSettings } from '../editor/run/use-run-settings.ts';

/** A text to run, without the editor. */
export interface RunnableText {
  /** The path of the script, or the name of a query. */
  readonly textKey: string;
  readonly content: string;
  /** The block of it that runs; null for all of it. */
  readonly block: string | null;
}

interface TextRunOptions extends RunnableText {
  /** The run that is shown. */
  readonly runId: string | undefined;
  /** The connection of that run, if it is known. */
  readonly connection?: string | undefined;
  readonly onStarted: (runId: string) => void;
}

/** The run of a text that is only read. */
interface TextRun {
  readonly connection: ConnectionChoice;
  readonly parameters: readonly DerivedParameter[];
  readonly values: Values;
  readonly setValue: (name: string, value: string) => void;
  /** The parameters that prevented the last run. */
  readonly incomplete: readonly string[];
  readonly run: () => void;
  readonly isPending: boolean;
  readonly isRunning: boolean;
  readonly stop: () => void;
  readonly isStopping: boolean;
  readonly error: Error | null;
}

/** Runs a text with the connection and the values of its last run in this browser. */
export function useTextRun({
  textKey: key,
  content,
  block,
  runId,
  onStarted,
  ...options
}: TextRunOptions): TextRun {
  const client = useQueryClient();
  const { connection, setValue, fill, remember } = useRunSettings(key, options.connection);
  const placed = placeText(key, content);
  // Only a text with this character has parameters.
  const check = useQuery({ ...textParametersQuery(client, placed), enabled: content.includes('$') });
  const parameters = check.data ?? [];
  const values = fill(parameters);
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const { data: last } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined });
  const starting = useMutation({
    mutationFn: async () => {
      const { base, path } = placed;
      const chosen = await connection.resolve();
      remember(parameters, chosen);
      return startRun(client, {
        what: 'run',
        base,
        files: [{ path, content }],
        ...(block === null ? { path } : { block }),
        params: toParams(parameters, values),
        ...(chosen.name === '' ? {} : { connection: chosen }),
      });
    },
    onSuccess: (id) => {
      listSoon(client);
      onStarted(id);
    },
  });
  const stopping = useMutation({ mutationFn: (id: string) => stopRun(client, id) });
  return {
    connection,
    parameters,
    values,
    setValue,
    incomplete,
    run: () => {
      const names = [...findMissing(parameters, values), ...findInvalid(parameters, values)];
      setIncomplete(names);
      if (names.length === 0) starting.mutate();
    },
    isPending: starting.isPending || check.isLoading,
    isRunning: last !== undefined && isLive(last.execution),
    stop: () => runId !== undefined && stopping.mutate(runId),
    isStopping: stopping.isPending,
    error: starting.error ?? stopping.error ?? check.error,
  };
}
