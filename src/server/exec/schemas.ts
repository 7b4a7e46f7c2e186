import { type TSchema, Type } from 'typebox';
import { elementAt } from '../../invariants/must.ts';
import { CONTENT_TYPES } from './formats.ts';

const Timestamp = Type.String({
  format: 'date-time',
  examples: ['2026-03-01T12:00:00.000000000Z'],
});
/** The formats that are no text. */
const BINARY: ReadonlySet<string> = new Set(['application/vnd.apache.arrow.stream']);

const duration = { started_at: Timestamp, finished_at: Timestamp, duration_ms: Type.Integer() };

const place = { line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) };
const finding = {
  severity: Type.Enum(['error', 'warning']),
  code: Type.String({ examples: ['unknown-name'] }),
  message: Type.String(),
  suggestion: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'What was meant' }),
};
const where = {
  file: Type.String(),
  ...place,
  end: Type.Object(place),
  frame: Type.String({ description: 'The lines around it' }),
};

/** A finding about a text. */
export const DiagnosticSchema = Type.Object({ ...finding, ...where }, { title: 'Diagnostic' });

/** What may surprise about a run; it may have no place in a text. */
export const Warnings = Type.Optional(
  Type.Array(
    Type.Object({ ...finding, ...Type.Partial(Type.Object(where)).properties }, { title: 'Warning' }),
    {
      description: 'What may surprise: left out when nothing does',
    },
  ),
);

/** Rows (interface 2.5). */
export const ResultSchema = Type.Object(
  {
    result: Type.Object({
      columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
      data: Type.Array(Type.Array(Type.Unsafe<unknown>({ description: 'A value' }))),
    }),
    stats: Type.Object(duration),
    warnings: Warnings,
  },
  { title: 'Result', description: 'The rows of the first result set' },
);

/** Results of tests (interface 2.6). */
export const TestsSchema = Type.Object(
  {
    tests: Type.Array(
      Type.Object({
        package_name: Type.String(),
        test_name: Type.String(),
        status: Type.Enum(['PASSED', 'FAILED']),
        message: Type.String(),
        ...duration,
      }),
    ),
    stats: Type.Object({
      tests: Type.Integer(),
      passed: Type.Integer(),
      failed: Type.Integer(),
      ...duration,
    }),
    warnings: Warnings,
  },
  { title: 'TestResults', description: 'What tests came to, whatever `Accept` says' },
);

/** How all three may be answered. */
export const ExecHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        'With `respond-async` the answer is fetched later; with `wait=5`, unless it is there in 5 seconds',
      examples: ['respond-async, wait=5'],
    }),
  ),
});

/** What all three answer (interface 2.5, 2.6). */
export const AnswerSchema = createAnswerSchema(ResultSchema, TestsSchema);

/** An answer in any of the formats, of which JSON has one of these schemas. */
export function createAnswerSchema(...schemas: readonly TSchema[]) {
  return {
    description: 'The answer',
    headers: {
      'x-service-execution-started-at': { type: 'string', description: 'When the execution began' },
    },
    content: {
      'application/json': { schema: Type.Union([...schemas]) },
      ...Object.fromEntries(
        Object.values(CONTENT_TYPES)
          .map((type) => elementAt(type.split(';', 1), 0))
          .filter((type) => type !== 'application/json')
          .map((type): readonly [string, { readonly schema: TSchema }] => [
            type,
            { schema: BINARY.has(type) ? Type.String({ format: 'binary' }) : Type.String() },
          ]),
      ),
    },
  };
}
