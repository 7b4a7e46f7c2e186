import { type Account, signIn } from './sign-in.ts';

const never = new AbortController().signal;

/** The target of a cancellation: the current statement of a session, or the session itself. */
export type Stoppable = 'QUERY' | 'CONNECTION';

/**
 * Asks a server, through a separate connection, to cancel the work of a session. Resolves when the server has passed
 * the request on, or cannot be reached; never rejects.
 */
export async function requestCancel(account: Account, what: Stoppable, threadId: number): Promise<void> {
  try {
    const connection = await signIn({ ...account, database: null }, never);
    const { promise, resolve } = Promise.withResolvers<void>();
    connection.on('error', () => resolve());
    connection.query(`KILL ${what} ${threadId}`, () => resolve());
    await promise;
    connection.destroy();
  } catch {
    // After a timeout, a session that continues is abandoned.
  }
}
