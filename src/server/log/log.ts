import { type DestinationStream, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { escapeControls } from '../../text/printable.ts';

/** Maximum buffered bytes when the log's reader is slow; further lines are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

/** The log of a server: one line of JSON for each event, on standard error. */
export interface ServerLog {
  readonly log: Logger;
  readonly state: LogState;
  /** Writes the buffered lines if possible; later lines are dropped. */
  close(): Promise<void>;
}

/** Whether the log can be written now, and the number of lines dropped while it could not. */
export interface LogState {
  readonly isFailing: boolean;
  readonly dropped: number;
}

/** Opens the log; `level` is the minimum level. A log that cannot be written does not stop the server. */
export function openLog(level: string, fd = 2): ServerLog {
  const destination = new sonicBoom.SonicBoom({ fd, sync: false, maxLength: MAX_WAITING });
  const state = { isFailing: false, dropped: 0 };
  let isOpen = true;
  destination.on('error', () => {
    state.isFailing = true;
  });
  destination.on('write', () => {
    state.isFailing = false;
  });
  destination.on('drop', () => {
    state.dropped += 1;
  });
  return {
    log: createLog(level, { write: (line) => void (isOpen && destination.write(line)) }),
    state,
    close: async () => {
      isOpen = false;
      const closed = new Promise((resolve) => void destination.once('close', resolve));
      // Retries the buffered lines once.
      destination.once('error', () => destination.destroy());
      destination.end();
      await closed;
    },
  };
}

/**
 * Creates a log that writes to `destination`.
 *
 * @internal
 */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: false,
      // An entry about a past event brings its own time.
      mixin: (fields) => ('time' in fields ? {} : { time: new Date().toISOString() }),
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => destination.write(escapeControls(line)) },
  );
}
