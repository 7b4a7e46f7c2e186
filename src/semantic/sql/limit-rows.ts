/** The row limit of a query that only skips rows. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** OFFSET and LIMIT on separate lines. LIMIT is left out for all rows, because some limits have only 31 bits. */
export function limitRows(fetch: number, skip: number): string {
  const lines = [...(skip > 0 ? [`OFFSET ${skip}`] : []), ...(fetch < ALL_ROWS ? [`LIMIT ${fetch}`] : [])];
  return lines.join('\n');
}
