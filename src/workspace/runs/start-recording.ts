import type { NanoClock } from '../../engine/run/outcome/clock.ts';
import { openQueryLog } from '../../query-log/query-log.ts';
import type { Home } from '../home/home.ts';
import type { Services } from '../services/services.ts';
import { createRecorder, type Recorder } from './record-queries.ts';

/** Settings of the query log. */
export interface QueryLogSettings {
  /** Whether sources are stored in addition to their hashes. */
  readonly keepsTexts: boolean;
  /** The retention of entries, in days. */
  readonly days: number;
  /** Receives a warning when the log cannot be written. */
  readonly warn: (line: string) => void;
}

/** The sources and target of the recording. */
interface Recording {
  readonly home: Home;
  readonly services: Services;
  readonly clock: NanoClock;
  /** Undefined: no log is written. */
  readonly settings: QueryLogSettings | undefined;
}

/** Starts to record executions; `closeLog` writes pending entries. */
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
