import { once } from 'node:events';
import { type DestinationStream, type Logger, pino } from 'pino';

/** How many bytes of log may wait for a reader that does not read; what comes then is dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** The log of a server: a line of JSON for each event, to standard error. */
export interface ServerLog {
  readonly log: Logger;
  /** Writes what still waits; what is logged afterwards is dropped. */
  close(): Promise<void>;
}

/** Opens the log; `level` is the least that is written. */
export function openLog(level: string): ServerLog {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: MOST_WAITING });
  let isOpen = true;
  return {
    log: createLog(level, { write: (line) => void (isOpen && destination.write(line)) }),
    close: async () => {
      isOpen = false;
      const closed = once(destination, 'close');
      destination.end();
      await closed;
    },
  };
}

/** A log that is written to `destination`. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: false,
      // What happened a moment ago says when.
      mixin: (given) => ('time' in given ? {} : { time: new Date().toISOString() }),
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}
