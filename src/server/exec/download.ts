import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EncoderOptions } from '../../engine/result/columns/encoder.ts';
import { FORMATS } from '../../engine/result/formats.ts';
import { fieldErrors, getString } from '../../errors/fields.ts';
import type { Recording } from '../../execution/results/async-executions.ts';
import type { ConvertedFormat } from '../../execution/results/convert-result.ts';
import type { ExecutionBody } from '../../workspace/api/execution-body.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { querySwitch } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';
import { chooseEncoding, openPassage } from './compression.ts';
import { execErrors } from './errors.ts';
import { CONTENT_TYPES } from './formats.ts';
import { ResultParams, readIndex } from './result-params.ts';
import { ResultSchema } from './schemas.ts';

/** A format of downloads. */
type DownloadFormat = ConvertedFormat | 'arrow';

interface FileType {
  readonly ending: string;
  readonly contentType: string;
}

/** The formats of downloads. */
const FILE_TYPES: Readonly<Record<DownloadFormat, FileType>> = {
  csv: { ending: 'csv', contentType: CONTENT_TYPES.csv },
  json: { ending: 'json', contentType: CONTENT_TYPES.json },
  ndjson: { ending: 'ndjson', contentType: CONTENT_TYPES.ndjson },
  arrow: { ending: 'arrow', contentType: CONTENT_TYPES.arrow },
  markdown: { ending: 'md', contentType: 'text/markdown; charset=utf-8' },
  parquet: { ending: 'parquet', contentType: FORMATS.parquet.mediaType },
  xlsx: { ending: 'xlsx', contentType: FORMATS.xlsx.mediaType },
};

const DOWNLOAD_FORMATS = Object.keys(FILE_TYPES) as readonly DownloadFormat[];

/** Maximum bytes of a message that is converted: it is in memory as a whole. Only a single row can be longer. */
const MAX_MESSAGE = 128 * 1024 ** 2;

const format: Field<DownloadFormat> = {
  schema: Type.Unsafe<DownloadFormat>({
    type: 'string',
    enum: [...DOWNLOAD_FORMATS],
    description: 'Format of the file',
  }),
  read(fields, key) {
    const text = getString(fields, key, 'Format');
    const name = DOWNLOAD_FORMATS.find((each) => each === text);
    if (name === undefined) throw fieldErrors.notOneOf('Format', DOWNLOAD_FORMATS);
    return name;
  },
};

const downloadQuery = defineFields({
  format,
  bom: querySwitch('BOM', 'Whether `csv` begins with a byte order mark, so that Excel reads it as UTF-8'),
  escape_formulas: querySwitch(
    'Escape formulas',
    "Whether `csv` has `'` before texts that spreadsheet programs read as formulas",
  ),
});

/** `/executions/{id}/results/{n}/download`: one recorded result as a file. */
export function addDownload(app: App, executions: Executions): void {
  const schema = {
    tags: ['executions'],
    summary: 'Download a result',
    operationId: 'downloadExecutionResult',
    scope: 'read',
    description:
      'Downloads one complete result as a file. Nothing runs again. Returns 409 while the result is not complete.',
    example: { parameters: { id: EXAMPLE_ID, n: 0, format: 'csv' } },
    params: ResultParams,
    querystring: downloadQuery.schema,
    response: { 200: createDownloadSchema(), ...listFailures(400, 404, 409, 422) },
  };
  app.get('/executions/:id/results/:n/download', { schema }, async (request, reply) => {
    const { format: chosen, ...encoder } = downloadQuery.read(request.query);
    if (chosen !== 'csv') refuseCsvFields(encoder);
    const { id, n } = request.params;
    const index = readIndex(String(n));
    const recording = executions.findRecording(request.principal, id);
    await sendFile(executions, request, reply, { id, recording, index, format: chosen, encoder });
    return reply;
  });
}

function createDownloadSchema() {
  const types = Object.values(FILE_TYPES).map(({ contentType }) => contentType.replace(/;.*/, ''));
  return {
    description: 'The rows of the result',
    headers: {
      'content-disposition': { type: 'string', description: 'Name of the file' },
      'x-result-truncated': { type: 'boolean', description: 'Whether rows are missing' },
    },
    content: Object.fromEntries(
      types.map((type) => [
        type,
        { schema: type === 'application/json' ? ResultSchema : Type.String({ format: 'binary' }) },
      ]),
    ),
  };
}

interface Download {
  readonly id: string;
  readonly recording: Recording;
  readonly index: number;
  readonly format: DownloadFormat;
  readonly encoder: CsvFields;
}

type CsvFields = Required<Pick<EncoderOptions, 'bom' | 'escapeFormulas'>>;

/** Throws 400 if a field of csv is true. */
function refuseCsvFields({ bom, escapeFormulas }: CsvFields): void {
  if (bom) throw execErrors.onlyCsv('BOM');
  if (escapeFormulas) throw execErrors.onlyCsv('Escape formulas');
}

/** Throws 404 without such a result, 409 before its end, 422 for a value that is too large, 429. */
async function sendFile(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
): Promise<void> {
  const { id, recording, index, format: chosen } = download;
  const result = recording.results.list()[index];
  if (result === undefined) throw execErrors.resultNotFound(String(index));
  if (!result.isComplete) throw execErrors.resultNotComplete(index);
  const { name } = executions.get(request.principal, id);
  const content = request.method === 'HEAD' ? Readable.from([]) : await open(executions, request, download);
  reply.raw.once('close', () => content.destroy());
  // An error before the first bytes is an error response.
  if (request.method !== 'HEAD') await once(content, 'readable');
  const { ending, contentType } = FILE_TYPES[chosen];
  const encoding = chooseEncoding(request);
  reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${printName(name)}-${index + 1}.${ending}"`)
    .header('x-result-truncated', String(result.isTruncated))
    .header('vary', 'accept-encoding');
  if (encoding !== null) reply.header('content-encoding', encoding);
  // An error in one of the streams closes the connection.
  reply.send(encoding === null ? content : pipeline(content, openPassage(encoding).stream, () => undefined));
}

async function open(
  executions: Executions,
  { principal }: FastifyRequest,
  { recording: { results }, index, format: chosen, encoder }: Download,
): Promise<Readable> {
  const [result, stored] = [results.list()[index], results.locate(index)];
  if (result === undefined || stored === null) throw execErrors.resultNotFound(String(index));
  if (chosen === 'arrow') {
    if (result.rangeError !== null) throw execErrors.outOfRange(result.rangeError);
    return results.read(index, 0, result.bytes);
  }
  if (stored.largest > MAX_MESSAGE) throw execErrors.notConvertible(MAX_MESSAGE);
  const [start, end] = [result.startedAt, result.endedAt ?? result.startedAt];
  const duration = Math.max(0, Date.parse(end) - Date.parse(start));
  const stats = { started_at: start, finished_at: end, duration_ms: duration };
  return executions.convert(principal, { stored, format: chosen, encoder, stats });
}

/** The last part of an execution's name, for the name of a file. */
function printName(name: ExecutionBody['name']): string {
  const last = name.split('/').at(-1) ?? name;
  return (
    last
      .replace(/\.sql$/, '')
      .replace(/[^\w.-]+/g, '_')
      .slice(0, 100) || 'result'
  );
}
