import { type Account, signIn } from './sign-in.ts';

const never = new AbortController().signal;

/** What is to stop: what a session does, or the session itself. */
export type Stoppable = 'QUERY' | 'CONNECTION';

/**
 * Asks a server to stop something of a session, by a connection of its own. Resolves when the server has passed
 * it on, or cannot be asked; never rejects.
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
    // A session that goes on is left after a while.
  }
}
