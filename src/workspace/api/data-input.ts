import type { DataFormat, ReadSettings } from '../../engine/run/load/read-files.ts';

/** The format of a file to load. */
export type InputFormat = DataFormat | 'xlsx';

/** A file that can be read as often as needed. */
export interface DataFile {
  /** The path as the caller gave it, for messages. */
  readonly name: string;
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
  /** The character before the fraction of numbers in csv. */
  readonly decimal?: string | undefined;
  /** The character between groups of digits in csv. */
  readonly thousands?: string | undefined;
  /** The format of dates in csv or json. */
  readonly dateFormat?: string | undefined;
  /** The format of dates with a time in csv or json. */
  readonly timestampFormat?: string | undefined;
  /** Lines at the end of csv that are not rows. */
  readonly skipFooter?: number | undefined;
  /** The name of the sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** Whether every column of csv or json is text. */
  readonly allText?: boolean | undefined;
}
