import { CATALOG_ROWS } from './catalog-rows.ts';
import { EXEC_ROWS } from './exec-rows.ts';
import { INTERFACE_ROWS } from './interface-rows.ts';
import { SCIM_ROWS } from './scim-rows.ts';
import { SEMANTIC_ROWS } from './semantic-rows.ts';

/**
 * Every statement that has a case, by a descriptive id.
 */
export const ROWS = {
  ...INTERFACE_ROWS,
  ...CATALOG_ROWS,
  ...EXEC_ROWS,
  ...SEMANTIC_ROWS,
  ...SCIM_ROWS,
} as const;

type RowId = keyof typeof ROWS;

/** The title of a case from the rows that it covers. Throws for a row that does not exist. */
export function covers(...ids: readonly RowId[]): string {
  return ids
    .map((id) => {
      if (!Object.hasOwn(ROWS, id)) throw new Error(`there is no row \`${id}\``);
      return `${id}: ${ROWS[id]}`;
    })
    .join('; ');
}
