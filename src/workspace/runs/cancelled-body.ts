import { type Static, Type } from 'typebox';

/** The executions of a stopped user. */
export const CancelledExecutionsSchema = Type.Object({
  executions: Type.Integer({ description: 'Executions that were cancelled' }),
  ending: Type.Immutable(
    Type.Array(Type.String(), { description: 'IDs of cancelled executions that have not ended yet' }),
  ),
});
export type CancelledExecutionsBody = Static<typeof CancelledExecutionsSchema>;
