import { type Static, type TSchema, Type } from 'typebox';
import { MaybeTimestamp, PreciseTime } from '../../bodies/field-schemas.ts';
import { ExecutionSchema } from './executions.ts';
import { DiagnosticSchema, TargetSchema, TestResult, WarningSchema } from './schemas.ts';

const list = <Schema extends TSchema>(items: Schema) => Type.Immutable(Type.Array(items));

const NoCountYet = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

const StatementSchema = Type.Object(
  {
    text: Type.String({ description: 'The first 500 characters' }),
    title: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The comment before it, or else the name of its block',
    }),
    file: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Source of the statement' }),
    line: NoCountYet,
    column: NoCountYet,
  },
  { title: 'RecordedStatement' },
);

const RecordedResultSchema = Type.Object(
  {
    index: Type.Integer(),
    kind: Type.Enum(['rows', 'count', 'none'], {
      description: 'A result set, a number of changed rows, or nothing; also `none` before it is known',
    }),
    statement: StatementSchema,
    columns: list(Type.Object({ name: Type.String(), type: Type.String() })),
    rows: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Rows that can be read so far, or changed rows',
    }),
    bytes: Type.Integer({ description: 'Bytes of the Arrow stream that can be read so far' }),
    is_complete: Type.Boolean({ description: 'Whether these are all bytes of the stream' }),
    is_truncated: Type.Boolean({
      description:
        'Whether rows are missing: a limit was reached, or the statement failed after its first rows',
    }),
    started_at: PreciseTime,
    ended_at: MaybeTimestamp,
  },
  { title: 'RecordedResult' },
);

const SampleSchema = Type.Object({
  columns: list(Type.String()),
  rows: list(list(Type.Unsafe<string | null>({ type: ['string', 'null'] }))),
});

const RecordedTestSchema = Type.Object(
  {
    ...TestResult,
    file: Type.String(),
    line: Type.Integer(),
    column: Type.Integer(),
    sample: Type.Union([SampleSchema, Type.Null()], { description: 'First rows of a failed test' }),
    diagnostics: list(DiagnosticSchema),
  },
  { title: 'RecordedTest' },
);

const RunTextSchema = Type.Object(
  {
    file: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Path of the script; null for SQL',
    }),
    block: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Block that runs; null if all of the text runs',
    }),
    text: Type.String(),
  },
  { title: 'RunText' },
);

/** The response of `GET /executions/{id}/results`. */
export const RecordingSchema = Type.Object(
  {
    execution: ExecutionSchema,
    version: Type.String({
      description: 'Changes with each change; pass it as `after` to wait for the next one',
    }),
    observed_at: Type.String({
      format: 'date-time',
      description: 'Time of the response by the clock that sets the other times',
    }),
    data: list(RecordedResultSchema),
    omitted: Type.Integer({ description: 'Statements that ran and are not in `data`' }),
    targets: list(TargetSchema),
    schemas: list(Type.String({ description: 'Schemas that were created for targets' })),
    warnings: list(WarningSchema),
    tests: Type.Union([list(RecordedTestSchema), Type.Null()]),
    text: Type.Optional(
      Type.Union([RunTextSchema, Type.Null()], {
        description:
          'With `text=true`, the text that runs; null if it is longer than 131,072 characters, or is not one text',
      }),
    ),
  },
  { title: 'Recording', description: 'Results of the statements of an execution' },
);
export type RecordingResponse = Static<typeof RecordingSchema>;

/** The response of `GET /executions/{id}/results/{n}`. */
export const ResultBytesSchema = {
  description: 'Bytes of an Arrow stream',
  headers: {
    'x-result-next': { type: 'integer', description: 'Offset of the next request' },
    'x-result-complete': {
      type: 'boolean',
      description: 'Whether the response contains the end of the stream',
    },
  },
  content: {
    'application/vnd.apache.arrow.stream': { schema: Type.String({ format: 'binary' }) },
  },
};
