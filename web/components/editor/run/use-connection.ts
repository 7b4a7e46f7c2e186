import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionsQuery, type ListedConnection } from '../../../api/editor/connections.ts';
import { projectConnectionQuery } from '../../../api/editor/language.ts';
import { type LastRunSettings, readLastConnection } from '../../../api/editor/run-settings.ts';
import { useSession } from '../../../api/use-session.ts';
import { isQuery } from '../workspace/tab.ts';
import { placeText } from './place.ts';

/** A connection with overrides. */
export interface ChosenConnection {
  /** Empty for the connection of the project. */
  readonly name: string;
  /** The overrides that have a value. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** The connection on which a text runs, and the ones to choose from. */
export interface ConnectionChoice extends ChosenConnection {
  readonly choose: (name: string) => void;
  /** Waits until the connections are listed, because nothing is known of the choice before; rejects if they cannot be. */
  readonly resolve: () => Promise<ChosenConnection>;
  /** The options of the connection that a run may override. */
  readonly allowedOverrides: readonly string[];
  readonly setOverride: (option: string, value: string) => void;
  readonly connections: readonly ListedConnection[];
  /** Why the connections cannot be listed. */
  readonly error: Error | null;
  /** The name of the project's connection; null if no project chooses one. */
  readonly project: string | null;
}

/**
 * Chooses the connection of a text: the remembered one, or else that of the project, or else the one of the last run, or
 * else the first one.
 */
export function useConnection(key: string, remembered: LastRunSettings | undefined): ConnectionChoice {
  const client = useQueryClient();
  const { user_name: user } = useSession().user;
  const [chosen, choose] = useState(remembered?.connection);
  const [typed, setTyped] = useState(remembered?.overrides ?? {});
  const [last] = useState(() => readLastConnection(user));
  const { data: connections, error } = useQuery(connectionsQuery);
  const project = useProjectConnection(key);
  const pick = (listed: readonly ListedConnection[] | undefined, ofProject: string | null | undefined) => {
    const isKnown = (name: string | undefined) =>
      listed?.some((connection) => connection.name === name) ?? true;
    const withoutProject = ofProject === null ? (isKnown(last) && last) || listed?.[0]?.name || '' : '';
    const name = chosen !== undefined && chosen !== '' && isKnown(chosen) ? chosen : withoutProject;
    const allowedOverrides = listed?.find((connection) => connection.name === name)?.allowed_overrides ?? [];
    const overrides = Object.entries(typed).filter(
      ([option, value]) => value !== '' && allowedOverrides.includes(option),
    );
    return { name, allowedOverrides, overrides: Object.fromEntries(overrides) };
  };
  return {
    ...pick(connections, project),
    choose: (next) => {
      choose(next);
      setTyped({});
    },
    resolve: async () => {
      const [{ data }, ofProject] = await Promise.all([
        client.ensureQueryData(connectionsQuery),
        findProjectConnection(client, key),
      ]);
      const { name, overrides } = pick(data, ofProject);
      return { name, overrides };
    },
    setOverride: (option, value) => setTyped({ ...typed, [option]: value }),
    connections: connections ?? [],
    error,
    project: project ?? null,
  };
}

/** As `useProjectConnection`, once it is known. */
async function findProjectConnection(client: QueryClient, key: string): Promise<string | null | undefined> {
  if (isQuery(key)) return null;
  const symbols = client.ensureQueryData(projectConnectionQuery(placeText(key, '').base));
  return symbols.then(
    ({ connection }) => connection,
    () => undefined,
  );
}

/** Undefined while it is not known, and for a text that the server cannot place. */
function useProjectConnection(key: string): string | null | undefined {
  const { data } = useQuery({ ...projectConnectionQuery(placeText(key, '').base), enabled: !isQuery(key) });
  // A query is not part of a project.
  return isQuery(key) ? null : data;
}
