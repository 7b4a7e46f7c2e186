import { serverErrors } from '../api/errors.ts';
import type { Home } from '../home/home.ts';
import { connectToServer } from '../services/server-connection.ts';

interface Hold {
  readonly home: Home;
  readonly waitMs: number;
  /** Told when the server lets itself be waited for, with how many seconds at most. */
  readonly onWait: (seconds: number) => void;
  readonly signal: AbortSignal;
}

/** A server that is not busy takes less, in milliseconds. */
const SOON_MS = 1_000;

/**
 * Does something while the server of a home, if there is one, has no DuckDB file open. Rejects with a ServiceError 503
 * when what runs there does not end in time.
 */
export async function withFilesHeld<T>(
  { home, waitMs, onWait, signal }: Hold,
  work: () => Promise<T>,
): Promise<T> {
  const server = await connectToServer(home);
  if (server === null) return work();
  const leaving = new AbortController();
  const held = Promise.withResolvers<void>();
  const seconds = waitMs / 1_000;
  const timer = setTimeout(() => onWait(seconds), SOON_MS);
  try {
    const over = AbortSignal.any([signal, leaving.signal]);
    const refused = server.ask({ kind: 'hold', waitMs }, over, held.resolve).then((running) => {
      throw running > 0 ? serverErrors.stillRunning(running, seconds) : serverErrors.heldByOthers(seconds);
    });
    await Promise.race([held.promise, refused]).finally(() => clearTimeout(timer));
    return await work();
  } finally {
    leaving.abort();
  }
}
