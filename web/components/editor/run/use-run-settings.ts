import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScriptParameter } from '../../../api/editor/check-script.ts';
import { connectionsQuery } from '../../../api/editor/connections.ts';
import { readLastConnection, readRunSettings, writeRunSettings } from '../../../api/editor/run-settings.ts';
import { useSession } from '../../../api/use-session.ts';
import { isQuery } from '../workspace/tab.ts';
import { fillValues, type Values } from './parameter-values.ts';

interface RunSettingsState {
  /** Empty for the connection of the project. */
  readonly connection: string;
  readonly setConnection: (name: string) => void;
  readonly setValue: (name: string, value: string) => void;
  /** The values of the parameters that the text has now. */
  readonly fill: (parameters: readonly ScriptParameter[]) => Values;
  /** Remembers the settings for the next visit, without parameters that the text does not have any more. */
  readonly remember: (parameters: readonly ScriptParameter[]) => void;
}

/** The connection and the parameters with which the text of a tab runs, which the browser remembers per text. */
export function useRunSettings(key: string): RunSettingsState {
  const { user_name: user } = useSession().user;
  const [remembered] = useState(() => readRunSettings(user, key));
  const [chosen, setConnection] = useState(
    () => remembered?.connection ?? (isQuery(key) ? readLastConnection(user) : ''),
  );
  const [typed, setTyped] = useState<Values>(remembered?.values ?? {});
  const { data: connections } = useQuery(connectionsQuery);
  const isKnown = connections === undefined || connections.some(({ name }) => name === chosen);
  // A query is not part of a project.
  const first = isQuery(key) ? (connections?.[0]?.name ?? '') : '';
  const connection = isKnown && chosen !== '' ? chosen : first;
  const fill = (parameters: readonly ScriptParameter[]) => fillValues(parameters, typed);
  return {
    connection,
    setConnection,
    setValue: (name, value) => setTyped({ ...typed, [name]: value }),
    fill,
    remember: (parameters) => writeRunSettings(user, key, { connection, values: fill(parameters) }),
  };
}
