import type { TSchema } from 'typebox';

const HEADERS = {
  etag: { type: 'string', description: 'Revision of the item, in quotes', examples: ['"3"'] },
  location: { type: 'string', description: 'URL path of the created resource' },
  'retry-after': { type: 'integer', description: 'Seconds to wait before the next request' },
  'preference-applied': { type: 'string', description: 'Preference that the server applied' },
} as const;

/** The schema of a response with these headers, for `schema.response`. */
export function withHeaders<Schema extends TSchema>(
  schema: Schema,
  ...names: readonly (keyof typeof HEADERS)[]
): Schema {
  return { ...schema, headers: Object.fromEntries(names.map((name) => [name, HEADERS[name]])) };
}
