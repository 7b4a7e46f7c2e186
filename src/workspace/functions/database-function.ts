import { type Static, Type } from 'typebox';

export const FunctionSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['scalar', 'aggregate', 'window', 'table'] as const),
    signatures: Type.Immutable(
      Type.Array(Type.String(), {
        description:
          'Arguments and result, such as `(part VARCHAR, timestamp DATE) -> TIMESTAMP`; empty if unknown',
      }),
    ),
    description: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  },
  { title: 'DatabaseFunction' },
);

/** A function that SQL on a connection can call. */
export type DatabaseFunction = Readonly<Static<typeof FunctionSchema>>;
