import type { FastifyRequest } from 'fastify';
import type { FormatName } from '../../engine/result/formats.ts';
import { elementAt, entryOf } from '../../invariants/must.ts';
import { serverErrors } from '../http/errors.ts';

/** A result format of HTTP. */
export type AnswerFormat = Extract<FormatName, 'json' | 'csv' | 'arrow' | 'ndjson'>;

/** The `Content-Type` of each format. */
export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.stream',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const FORMATS = Object.keys(CONTENT_TYPES) as readonly AnswerFormat[];

/** The format of each media type, in order of preference. */
const FORMAT_OF_TYPE: ReadonlyMap<string, AnswerFormat> = new Map(
  FORMATS.map((format) => [toMediaType(format), format] as const),
);

/**
 * Chooses the format that a request's `Accept` prefers; JSON without a preference (docs/reference/exec.md#responses).
 * Throws 406.
 */
export function chooseFormat(request: FastifyRequest, offered = FORMATS): AnswerFormat {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return 'json';
  const named = FORMAT_OF_TYPE.get(accept);
  if (named !== undefined && offered.includes(named)) return named;
  const types = [...FORMAT_OF_TYPE.keys()].filter((type) => offered.includes(entryOf(FORMAT_OF_TYPE, type)));
  const type = request.accepts().type(types);
  const format = typeof type === 'string' ? FORMAT_OF_TYPE.get(type) : undefined;
  if (format === undefined) throw serverErrors.notAcceptable(offered.map(toMediaType).join(', '));
  return format;
}

function toMediaType(format: AnswerFormat): string {
  return elementAt(CONTENT_TYPES[format].split(';', 1), 0);
}
