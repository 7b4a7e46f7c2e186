import type { Clock } from '../../engine/run/outcome/clock.ts';
import { openQueryLog } from '../../query-log/query-log.ts';
import type { Home } from '../home/home.ts';
import type { Services } from '../services/services.ts';
import { createRecorder, type Recorder } from './record-queries.ts';

/** How a server logs what it runs. */
export interface QueryLogSettings {
  /** Whether texts are kept, and not their hashes alone. */
  readonly keepsTexts: boolean;
  /** For how long entries are kept. */
  readonly days: number;
  /** Is told when the log cannot be kept. */
  readonly warn: (line: string) => void;
}

/** What is recorded, and where to. */
interface Recording {
  readonly home: Home;
  readonly services: Services;
  readonly clock: Clock;
  /** Undefined: no log is kept. */
  readonly settings: QueryLogSettings | undefined;
}

/** Begins to record what is run; `closeLog` writes what waits. */
export function startRecording({ home, services, clock, settings }: Recording): {
  readonly recorder: Recorder;
  readonly closeLog: () => void;
} {
  const log = settings && openQueryLog({ ...settings, file: home.queries, clock: () => new Date() });
  const { users } = services;
  const record = log?.record ?? null;
  const keepsTexts = settings?.keepsTexts ?? false;
  return {
    recorder: createRecorder({ clock, users, record, keepsTexts }),
    closeLog: () => log?.close(),
  };
}
