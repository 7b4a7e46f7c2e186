import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DerivedParameter, textParametersQuery } from '../../api/editor/check-script.ts';
import { type LastRunSettings, readRunSettings, writeRunSettings } from '../../api/editor/run-settings.ts';
import { isLive, listSoon, runQuery, stopRun } from '../../api/runs/run.ts';
import { startRun } from '../../api/runs/start-run.ts';
import { useSession } from '../../api/use-session.ts';
import { fillValues, findFault, findMissing, toParams, type Values } from '../editor/run/parameter-values.ts';
import { placeText } from '../editor/run/place.ts';
import { type ConnectionChoice, useConnection } from '../editor/run/use-connection.ts';

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
  const { user_name: user } = useSession().user;
  const [remembered] = useState(() => recall(user, key, options.connection));
  const connection = useConnection(key, remembered);
  const [typed, setTyped] = useState<Values>(remembered?.values ?? {});
  const placed = placeText(key, content);
  // Only a text with this character has parameters.
  const check = useQuery({ ...textParametersQuery(client, placed), enabled: content.includes('$') });
  const parameters = check.data ?? [];
  const values = fillValues(parameters, typed);
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const { data: last } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined });
  const starting = useMutation({
    mutationFn: async () => {
      const { base, path } = placed;
      const { name, overrides } = await connection.resolve();
      writeRunSettings(user, key, { connection: name, overrides, values });
      return startRun(client, {
        what: 'run',
        base,
        files: [{ path, content }],
        ...(block === null ? { path } : { block }),
        params: toParams(parameters, values),
        ...(name === '' ? {} : { connection: { name, overrides } }),
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
    setValue: (name, value) => setTyped({ ...typed, [name]: value }),
    incomplete,
    run: () => {
      const invalid = parameters.filter(
        (parameter) => findFault(parameter, values[parameter.name] ?? '') !== null,
      );
      const names = [...findMissing(parameters, values), ...invalid.map(({ name }) => name)];
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

/** The settings of the last run of a text, on the connection of the run that is shown. */
function recall(user: string, key: string, connection: string | undefined): LastRunSettings | undefined {
  const last = readRunSettings(user, key);
  if (connection === undefined || last?.connection === connection) return last;
  return { connection, values: last?.values ?? {} };
}
