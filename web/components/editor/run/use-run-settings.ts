import { useState } from 'react';
import type { DerivedParameter } from '../../../api/editor/check-script.ts';
import { type LastRunSettings, readRunSettings, writeRunSettings } from '../../../api/editor/run-settings.ts';
import { useSession } from '../../../api/use-session.ts';
import { fillValues, type Values } from './parameter-values.ts';
import { type ChosenConnection, type ConnectionChoice, useConnection } from './use-connection.ts';

interface RunSettingsState {
  readonly connection: ConnectionChoice;
  readonly setValue: (name: string, value: string) => void;
  /** The values of the parameters that the text has now. */
  readonly fill: (parameters: readonly DerivedParameter[]) => Values;
  /** Remembers the settings for the next visit, without parameters that the text does not have any more. */
  readonly remember: (parameters: readonly DerivedParameter[], connection: ChosenConnection) => void;
}

/**
 * The connection and the parameters with which a text runs, which the browser remembers per text. A given connection is
 * chosen first.
 */
export function useRunSettings(key: string, given?: string): RunSettingsState {
  const { user_name: user } = useSession().user;
  const [remembered] = useState(() => recall(user, key, given));
  const connection = useConnection(key, remembered);
  const [typed, setTyped] = useState<Values>(remembered?.values ?? {});
  const fill = (parameters: readonly DerivedParameter[]) => fillValues(parameters, typed);
  return {
    connection,
    setValue: (name, value) => setTyped({ ...typed, [name]: value }),
    fill,
    remember: (parameters, { name, overrides }) =>
      writeRunSettings(user, key, { connection: name, overrides, values: fill(parameters) }),
  };
}

/** The settings of the last run of a text, on the given connection. */
function recall(user: string, key: string, given: string | undefined): LastRunSettings | undefined {
  const last = readRunSettings(user, key);
  if (given === undefined || last?.connection === given) return last;
  return { connection: given, values: last?.values ?? {} };
}
