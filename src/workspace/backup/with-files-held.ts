import { homeServerErrors } from '../api/errors.ts';
import type { Home } from '../home/home.ts';
import { askServer } from '../services/call-server.ts';

interface Hold {
  readonly home: Home;
  readonly waitMs: number;
  /** Called when waiting for the server starts, with the maximum wait in seconds. */
  readonly onWait: (seconds: number) => void;
  readonly signal: AbortSignal;
}

/** Longer than an idle server needs, in milliseconds. */
const SOON_MS = 1_000;

/**
 * Runs `work` while the home's server, if there is one, has no DuckDB file open. Rejects with a ServiceError 503 when
 * its executions do not end in time.
 */
export async function withFilesHeld<T>(
  { home, waitMs, onWait, signal }: Hold,
  work: () => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const held = Promise.withResolvers<void>();
  const seconds = waitMs / 1_000;
  const timer = setTimeout(() => onWait(seconds), SOON_MS);
  try {
    const calling = {
      sink: { write: () => held.resolve() },
      signal: AbortSignal.any([signal, leaving.signal]),
    };
    const refused = askServer(home, 'hold', { input: waitMs }, calling);
    const running = await Promise.race([held.promise, refused]).finally(() => clearTimeout(timer));
    if (typeof running === 'number') {
      throw running > 0
        ? homeServerErrors.stillRunning(running, seconds)
        : homeServerErrors.heldByOthers(seconds);
    }
    return await work();
  } finally {
    leaving.abort();
  }
}
