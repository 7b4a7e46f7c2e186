import { createContext, useContext } from 'react';
import type { ConsoleSession } from './session.ts';

/** The session whose pages are shown; set by the shell. */
export const SessionContext = createContext<ConsoleSession | null>(null);

/**
 * The session whose pages are shown. It remains after the session has ended, until the person has signed in again, so
 * that unsaved input remains too. Only for components inside the shell.
 */
export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session outside the shell');
  return session;
}
