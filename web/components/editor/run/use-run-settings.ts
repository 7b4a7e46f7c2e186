import { useState } from 'react';
import type { ScriptParameter } from '../../../api/editor/check-script.ts';
import { readRunSettings, writeRunSettings } from '../../../api/editor/run-settings.ts';
import { useSession } from '../../../api/use-session.ts';
import { fillValues, type Values } from './parameter-values.ts';
import { type ConnectionChoice, useConnection } from './use-connection.ts';

interface RunSettingsState {
  readonly connection: ConnectionChoice;
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
  const connection = useConnection(key, remembered);
  const [typed, setTyped] = useState<Values>(remembered?.values ?? {});
  const fill = (parameters: readonly ScriptParameter[]) => fillValues(parameters, typed);
  return {
    connection,
    setValue: (name, value) => setTyped({ ...typed, [name]: value }),
    fill,
    remember: (parameters) =>
      writeRunSettings(user, key, {
        connection: connection.name,
        overrides: connection.overrides,
        values: fill(parameters),
      }),
  };
}
