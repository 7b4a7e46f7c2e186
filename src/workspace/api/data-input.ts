import type { ReadSettings } from '../../engine/run/load-files.ts';

/** A file that can be read as often as needed. */
export interface DataFile {
  /** The path as it was given, for messages. */
  readonly name: string;
  /** What stands in messages of the database in place of `path`. */
  readonly origin: string;
  /** Where the database reads it; absolute. */
  readonly path: string;
}

/** Data that can be read once: standard input, a pipe, a terminal. */
export interface DataStream {
  /** What messages call it. */
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Something whose rows are loaded. */
export type DataInput = DataFile | DataStream;

/** How the caller says that data is to be read. */
export interface LoadSettings extends Omit<ReadSettings, 'compression'> {
  /** Of csv and JSON; undefined: UTF-8. */
  readonly encoding?: string | undefined;
}
