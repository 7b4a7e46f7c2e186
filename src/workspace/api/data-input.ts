import type { ReadSettings } from '../../engine/run/load-files.ts';

/** A file that can be read as often as needed. */
export interface DataFile {
  /** The path as the caller gave it, for messages. */
  readonly name: string;
  /** Replaces `path` in messages of the database. */
  readonly origin: string;
  /** The absolute path that the database reads. */
  readonly path: string;
}

/** Data that can be read once: standard input, a pipe, a terminal. */
export interface DataStream {
  /** The name in messages. */
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A source of rows to load. */
export type DataInput = DataFile | DataStream;

/** Read options that the caller sets. */
export interface LoadSettings extends Omit<ReadSettings, 'compression'> {
  /** Of CSV and JSON; undefined: UTF-8. */
  readonly encoding?: string | undefined;
}
