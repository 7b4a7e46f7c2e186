import { DatabaseError } from './connection.ts';

/** Adds advice to the error of a session that cannot use its schema. Other errors are unchanged. */
export function adviseOnSchema(error: unknown, schema: string): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'sql') return error;
  const message = `${error.message}; the connection or the environment names the schema \`${schema}\`: create it first`;
  return new DatabaseError('sql', message, undefined, { cause: error });
}
