import type { FormatName } from '../../engine/result/formats.ts';

/** A result format of HTTP. */
export type AnswerFormat = Extract<FormatName, 'json' | 'csv' | 'arrow' | 'ndjson'>;

/** The `Content-Type` of each format. */
export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.stream',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
