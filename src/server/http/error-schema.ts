import { Type } from 'typebox';

const Message = Type.String({
  maxLength: 500,
  description: 'Short error message: the first line of `detail`',
});
const Code = Type.String({
  pattern: '^[a-z][a-z0-9_]*$',
  description: 'Stable error code for programs',
  examples: ['path_not_found'],
});
const RequestId = Type.String({
  format: 'uuid',
  description: 'Id of the request; also in the header `X-Request-Id`',
});
const Hints = Type.Optional(
  Type.Immutable(
    Type.Array(Type.String(), { minItems: 1, description: 'Further explanations and suggestions' }),
  ),
);

/** The properties that describe an error. */
export const errorFields = { message: Message, detail: Type.String(), code: Code, hints: Hints };

/** The properties of every error body. */
export const failure = { ...errorFields, request_id: RequestId };

/** The body of every error response (docs/reference/http-api.md#failures). */
export const ErrorSchema = Type.Object(failure, { title: 'Error', description: 'Error response' });

/** The error responses of a route by status, for its `schema.response`. */
export function listFailures<Status extends number>(
  ...statuses: readonly Status[]
): Record<Status, typeof ErrorSchema> {
  const entries = statuses.map((status) => [status, ErrorSchema] as const);
  return Object.fromEntries(entries) as unknown as Record<Status, typeof ErrorSchema>;
}

/** A response without a body (docs/reference/http-api.md#failures). */
export const NoBodySchema = Type.Unsafe<undefined>({
  type: 'null',
  description: 'Success; the response has no body',
});
