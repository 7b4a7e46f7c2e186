import { readString, toFields } from '../../errors/fields.ts';

/** The user name in a query, of whose tokens is spoken; an empty one is none. Throws 400. */
export function readOwner(query: unknown): string | undefined {
  return readString(toFields(query), 'owner', 'Owner') || undefined;
}
