import { type Static, Type } from 'typebox';
import { createAnswerSchema, DiagnosticSchema, ResultSchema, TestsSchema, Warnings } from './schemas.ts';

const ParameterSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.Unsafe<'string' | 'number' | 'boolean' | 'date' | 'timestamp' | null>({
      type: ['string', 'null'],
      enum: ['string', 'number', 'boolean', 'date', 'timestamp', null],
      description: 'The type that the script suggests',
    }),
    default: Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      description: 'The value of the project, which a run uses, else that of a comment `-- $name = value`',
    }),
    values: Type.Union(
      [Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])), Type.Null()],
      {
        description:
          'The choices in a comment `-- $name in (a, b)`, the only values that a run accepts; null without choices',
      },
    ),
    is_required: Type.Boolean({
      description:
        'False if the script uses the parameter only inside quotes, or the project has a value of it',
    }),
    doc: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The text of a comment `-- $name: text`',
    }),
    line: Type.Integer({ minimum: 1 }),
    column: Type.Integer({ minimum: 1 }),
  },
  { title: 'ScriptParameter' },
);

const FindingsSchema = Type.Object(
  {
    data: Type.Array(DiagnosticSchema),
    parameters: Type.Optional(
      Type.Array(ParameterSchema, { description: 'Parameters of the script, if one script is checked' }),
    ),
    warnings: Warnings,
  },
  { title: 'Findings', description: 'The result of `check`' },
);

const StepsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: Type.Enum(['statement', 'relation', 'action']),
        call: Type.String({ description: 'The call that this step belongs to; empty for the script itself' }),
        relation: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Name of the relation that holds its rows',
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
  { title: 'Steps', description: 'The result of `compile`: the steps of a script' },
);

const SymbolsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Enum(['block', 'test', 'macro', 'constant', 'function']),
        import: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'Local name of the import; null for the package of the script',
        }),
        params: Type.Array(
          Type.Object({
            name: Type.String(),
            default: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'An expression' }),
          }),
        ),
        returns: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        doc: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        file: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null for the library' }),
        line: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
        column: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      }),
    ),
    imports: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
    packages: Type.Array(Type.String(), { description: 'Paths that the script can import' }),
    connection: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Connection of the project, in its default environment',
    }),
    warnings: Warnings,
  },
  { title: 'Symbols', description: 'The result of `symbols`: the names that a script can use' },
);
export type FindingsResponse = Static<typeof FindingsSchema>;
export type StepsResponse = Static<typeof StepsSchema>;
export type SymbolsResponse = Static<typeof SymbolsSchema>;

/** The responses of `POST /exec/bundle`. */
export const BundleAnswerSchema = createAnswerSchema(
  ResultSchema,
  TestsSchema,
  FindingsSchema,
  StepsSchema,
  SymbolsSchema,
);
