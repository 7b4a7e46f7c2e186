import { Type } from 'typebox';
import { createAnswerSchema, DiagnosticSchema, ResultSchema, TestsSchema, Warnings } from './schemas.ts';

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
