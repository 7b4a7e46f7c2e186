import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionsQuery, type ListedConnection } from '../../../api/editor/connections.ts';
import { projectConnectionQuery } from '../../../api/editor/language.ts';
import { type LastRunSettings, readLastConnection } from '../../../api/editor/run-settings.ts';
import { useSession } from '../../../api/use-session.ts';
import { isQuery } from '../workspace/tab.ts';
import { placeText } from './place.ts';

/** The connection on which a text runs, and the ones to choose from. */
export interface ConnectionChoice {
  /** Empty for the connection of the project. */
  readonly name: string;
  readonly choose: (name: string) => void;
  /** The options of the connection that a run may override. */
  readonly allowedOverrides: readonly string[];
  /** The overrides that have a value. */
  readonly overrides: Readonly<Record<string, string>>;
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
  const { user_name: user } = useSession().user;
  const [chosen, choose] = useState(remembered?.connection);
  const [typed, setTyped] = useState(remembered?.overrides ?? {});
  const [last] = useState(() => readLastConnection(user));
  const { data: connections, error } = useQuery(connectionsQuery);
  const project = useProjectConnection(key);
  const isKnown = (name: string | undefined) =>
    connections?.some((connection) => connection.name === name) ?? true;
  const withoutProject = project === null ? (isKnown(last) && last) || connections?.[0]?.name || '' : '';
  const name = chosen !== undefined && chosen !== '' && isKnown(chosen) ? chosen : withoutProject;
  const allowedOverrides =
    connections?.find((connection) => connection.name === name)?.allowed_overrides ?? [];
  const overrides = Object.entries(typed).filter(
    ([option, value]) => value !== '' && allowedOverrides.includes(option),
  );
  return {
    name,
    choose: (next) => {
      choose(next);
      setTyped({});
    },
    allowedOverrides,
    overrides: Object.fromEntries(overrides),
    setOverride: (option, value) => setTyped({ ...typed, [option]: value }),
    connections: connections ?? [],
    error,
    project: project ?? null,
  };
}

/** Undefined while it is not known, and for a text that the server cannot place. */
function useProjectConnection(key: string): string | null | undefined {
  const { data } = useQuery({ ...projectConnectionQuery(placeText(key, '').base), enabled: !isQuery(key) });
  // A query is not part of a project.
  return isQuery(key) ? null : data;
}
