import { type DestinationStream, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { escapeControls } from '../../workspace/api/printable.ts';

/** How many bytes of log may wait for a reader that does not read; what comes then is dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

/** The log of a server: a line of JSON for each event, to standard error. */
export interface ServerLog {
  readonly log: Logger;
  readonly state: LogState;
  /** Writes what still waits, if it can be written; what is logged afterwards is dropped. */
  close(): Promise<void>;
}

/** Whether the log can be written now, and how many lines were dropped since nobody could. */
export interface LogState {
  readonly isFailing: boolean;
  readonly dropped: number;
}

/** Opens the log; `level` is the least that is written. A log that cannot be written stops nothing. */
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
      // What waits is tried once more.
      destination.once('error', () => destination.destroy());
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
    { write: (line) => destination.write(escapeControls(line)) },
  );
}
