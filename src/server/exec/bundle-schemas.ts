import { Type } from 'typebox';
import { BUNDLE_USES, MAX_SELECTORS } from './bundle-body.ts';
import { MAX_FILES, MAX_PARTS, MAX_PATH_LENGTH } from './bundle-files.ts';
import {
  ConnectionRefSchema,
  createAnswerSchema,
  DiagnosticSchema,
  Parameters,
  ResultSchema,
  TestsSchema,
  Warnings,
} from './schemas.ts';

/** A name in a path: no control characters, no backslash, and neither `.` nor `..`. */
const NAME = '(?!\\.{1,2}(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+';

const Texts = Type.Array(Type.String(), { maxItems: MAX_SELECTORS });

/** The body of `POST /exec/bundle`. */
export const BundleSchema = Type.Object({
  what: Type.Enum([...BUNDLE_USES]),
  files: Type.Array(
    Type.Object({
      path: Type.String({
        description: 'From the bundle’s own folder',
        examples: ['sales/monthly.sql'],
        maxLength: MAX_PATH_LENGTH,
        pattern: `^${NAME}(/${NAME}){0,${MAX_PARTS - 1}}$`,
      }),
      content: Type.String(),
    }),
    { maxItems: MAX_FILES, description: 'A project as it lies on a disk: `project.toml` and `*.sql`' },
  ),
  path: Type.Optional(
    Type.String({
      description: 'The script to run or to compile; the script or folder to check, all if not given',
    }),
  ),
  block: Type.Optional(Type.String({ description: 'To run in the place of a script' })),
  package: Type.Optional(
    Type.String({
      description: 'The folder of the block, or how scripts import it; the bundle’s own if not given',
    }),
  ),
  args: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON of any kind' })),
  include: Type.Optional({ ...Texts, description: 'The tests to run, all if not given' }),
  exclude: Type.Optional(Texts),
  parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 16, description: 'Tests at once' })),
  fail_fast: Type.Optional(Type.Boolean()),
  params: Type.Optional(Parameters),
  connection: Type.Optional(ConnectionRefSchema),
  environment: Type.Optional(Type.String({ description: 'Of the project, in the place of its default one' })),
});

const FindingsSchema = Type.Object(
  { data: Type.Array(DiagnosticSchema), warnings: Warnings },
  { title: 'Findings', description: 'What `check` has found' },
);

const StepsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: Type.Enum(['statement', 'relation', 'action']),
        call: Type.String({ description: 'For which call it is done; empty for the script’s own' }),
        relation: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'The name of its rows',
        }),
        lines: Type.Array(
          Type.Object({
            text: Type.String(),
            file: Type.String(),
            line: Type.Integer(),
            block: Type.String(),
          }),
        ),
      }),
    ),
    warnings: Warnings,
  },
  { title: 'Steps', description: 'What `compile` has made of a script' },
);

/** What `POST /exec/bundle` answers. */
export const BundleAnswerSchema = createAnswerSchema(ResultSchema, TestsSchema, FindingsSchema, StepsSchema);
