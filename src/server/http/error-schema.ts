import { Type } from 'typebox';

/** The body of every failure (interface 7). */
const ErrorSchema = Type.Object(
  { message: Type.String(), detail: Type.String() },
  { title: 'Error', description: 'Why the request was refused' },
);

/** The failures of a route by their statuses, for its `schema.response`. */
export function listFailures<Status extends number>(
  ...statuses: readonly Status[]
): Record<Status, typeof ErrorSchema> {
  const entries = statuses.map((status) => [status, ErrorSchema] as const);
  return Object.fromEntries(entries) as unknown as Record<Status, typeof ErrorSchema>;
}

/** An answer without a body (interface 7, 204). */
export const NoBodySchema = Type.Unsafe<undefined>({ type: 'null', description: 'Done; there is no body' });
