import { type Static, type TSchema, Type } from 'typebox';
import { PreciseTime } from '../../bodies/field-schemas.ts';
import { elementAt } from '../../invariants/must.ts';
import { failure } from '../http/error-schema.ts';
import { CONTENT_TYPES } from './formats.ts';

/** The binary formats. */
const BINARY: ReadonlySet<string> = new Set(['application/vnd.apache.arrow.stream']);

const duration = { started_at: PreciseTime, finished_at: PreciseTime, duration_ms: Type.Integer() };

/** The fields of the result of a test (docs/reference/testing.md#results-as-json). */
export const TestResult = {
  package_name: Type.String(),
  test_name: Type.String(),
  status: Type.Enum(['PASSED', 'FAILED']),
  message: Type.String(),
  ...duration,
};

const MaybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** The end of one target of a run (docs/reference/build.md#report). */
export const TargetSchema = Type.Object(
  {
    name: Type.String({ description: 'Table, view or file' }),
    block: Type.String(),
    package_name: Type.String(),
    status: Type.Enum(['PUBLISHED', 'FAILED', 'SKIPPED']),
    action: Type.Union([
      Type.Enum(['create', 'replace', 'append', 'merge', 'history', 'write']),
      Type.Null(),
    ]),
    rows: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Rows of a table; null if they were not counted',
    }),
    message: MaybeText,
    because: MaybeText,
    file: Type.String(),
    line: Type.Integer(),
    ...duration,
  },
  { title: 'Target' },
);

/** The targets of a run. */
export const Targets = Type.Optional(
  Type.Immutable(
    Type.Array(TargetSchema, {
      description: 'Publications that have ended, in this order; absent without publications, and in lists',
    }),
  ),
);

/** The body of the error of a run that may have published something. */
export const RunErrorSchema = Type.Object(
  { ...failure, targets: Targets },
  { title: 'RunError', description: 'Error of an execution' },
);

/** As `listFailures`, for the statuses of runs that can fail after a publication. */
export function listRunFailures<Status extends number>(
  ...statuses: readonly Status[]
): Record<Status, typeof RunErrorSchema> {
  const entries = statuses.map((status) => [status, RunErrorSchema] as const);
  return Object.fromEntries(entries) as unknown as Record<Status, typeof RunErrorSchema>;
}

const position = { line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) };
const finding = {
  severity: Type.Enum(['error', 'warning']),
  code: Type.String({ examples: ['unknown-name'] }),
  message: Type.String(),
  suggestion: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Suggested spelling' }),
};
const where = {
  file: Type.String(),
  ...position,
  end: Type.Object(position),
  frame: Type.String({ description: 'Source lines around the position' }),
};

/** A diagnostic with a position in a source. */
export const DiagnosticSchema = Type.Object({ ...finding, ...where }, { title: 'Diagnostic' });

/** A warning about a run; its position can be absent. */
export const WarningSchema = Type.Object(
  { ...finding, ...Type.Partial(Type.Object(where)).properties },
  { title: 'Warning' },
);
export type WarningResponse = Static<typeof WarningSchema>;

/** The warnings of a run. */
export const Warnings = Type.Optional(
  Type.Array(WarningSchema, { description: 'Warnings about the execution; absent without warnings' }),
);

/** Rows (docs/reference/results.md#documents). */
export const ResultSchema = Type.Object(
  {
    result: Type.Object({
      columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
      data: Type.Array(Type.Array(Type.Unsafe<unknown>({ description: 'A value' }))),
    }),
    stats: Type.Object(duration),
    targets: Targets,
    warnings: Warnings,
  },
  { title: 'Result', description: 'Rows of the first result set' },
);

/** Results of tests (docs/reference/testing.md#results-as-json). */
export const TestsSchema = Type.Object(
  {
    tests: Type.Array(Type.Object(TestResult)),
    stats: Type.Object({
      tests: Type.Integer(),
      passed: Type.Integer(),
      failed: Type.Integer(),
      ...duration,
    }),
    targets: Targets,
    warnings: Warnings,
  },
  { title: 'TestResults', description: 'Results of tests; always JSON, regardless of `Accept`' },
);

/** The request headers of all three routes. */
export const ExecHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        '`respond-async` requests asynchronous execution; `wait=5` waits up to 5 seconds for the result first',
      examples: ['respond-async, wait=5'],
    }),
  ),
});

/**
 * The response of all three routes (docs/reference/results.md#documents, docs/reference/testing.md#results-as-json).
 */
export const AnswerSchema = createAnswerSchema(ResultSchema, TestsSchema);

/** A response in any of the formats; JSON has one of these schemas. */
export function createAnswerSchema(...schemas: readonly TSchema[]) {
  return {
    description: 'The result of the execution',
    headers: {
      'x-service-execution-started-at': { type: 'string', description: 'Start time of the execution' },
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
