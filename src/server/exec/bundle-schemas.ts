import { Type } from 'typebox';
import { createAnswerSchema, DiagnosticSchema, ResultSchema, TestsSchema, Warnings } from './schemas.ts';

const FindingsSchema = Type.Object(
  { data: Type.Array(DiagnosticSchema), warnings: Warnings },
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

/** The responses of `POST /exec/bundle`. */
export const BundleAnswerSchema = createAnswerSchema(ResultSchema, TestsSchema, FindingsSchema, StepsSchema);
