import { Type } from 'typebox';

const Message = Type.String({ maxLength: 500, description: 'The first line of `detail`' });
const Code = Type.String({
  pattern: '^[a-z][a-z0-9_]*$',
  description: 'A stable word for programs',
  examples: ['path_not_found'],
});
const RequestId = Type.String({ format: 'uuid', description: 'As in the header `X-Request-Id`' });
const Hints = Type.Optional(
  Type.Immutable(Type.Array(Type.String(), { minItems: 1, description: 'Further sentences for people' })),
);

/** The properties that say why something was refused. */
export const refusal = { message: Message, detail: Type.String(), code: Code, hints: Hints };

/** The properties of every error body. */
export const failure = { ...refusal, request_id: RequestId };

/** The body of every failure (interface 7). */
const ErrorSchema = Type.Object(failure, { title: 'Error', description: 'Why the request was refused' });

/** The failures of a route by their statuses, for its `schema.response`. */
export function listFailures<Status extends number>(
  ...statuses: readonly Status[]
): Record<Status, typeof ErrorSchema> {
  const entries = statuses.map((status) => [status, ErrorSchema] as const);
  return Object.fromEntries(entries) as unknown as Record<Status, typeof ErrorSchema>;
}

/** An answer without a body (interface 7, 204). */
export const NoBodySchema = Type.Unsafe<undefined>({ type: 'null', description: 'Done; there is no body' });
