import type { TSchema } from 'typebox';

const HEADERS = {
  etag: { type: 'string', description: 'The revision, quoted', examples: ['"3"'] },
  location: { type: 'string', description: 'Where what was made can be found' },
  'retry-after': { type: 'integer', description: 'In how many seconds to look again' },
  'preference-applied': { type: 'string', description: 'The preference that the server follows' },
} as const;

/** The schema of an answer that carries these headers, for its `schema.response`. */
export function withHeaders<Schema extends TSchema>(
  schema: Schema,
  ...names: readonly (keyof typeof HEADERS)[]
): Schema {
  return { ...schema, headers: Object.fromEntries(names.map((name) => [name, HEADERS[name]])) };
}
