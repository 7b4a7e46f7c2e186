import type { Database } from '../../store/database.ts';

const LIST = `
  SELECT key_id FROM connection_secrets WHERE connection_id <> ?
  UNION SELECT key_id FROM provider_certificates WHERE id <> ?
`;

/** The ids of the keys that the home's secrets are encrypted with, except those of the record with the given id. */
export function listOtherSecretKeys({ statement }: Pick<Database, 'statement'>, id: string): string[] {
  return statement<{ key_id: string }>(LIST)
    .all(id, id)
    .map((row) => row.key_id);
}
