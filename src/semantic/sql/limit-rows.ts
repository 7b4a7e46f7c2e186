/** What is fetched where only the first rows are left out. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

/** OFFSET and LIMIT in lines of their own; LIMIT is left out for all rows, because a limit may have 31 bits only. */
export function limitRows(fetch: number, skip: number): string {
  const lines = [...(skip > 0 ? [`OFFSET ${skip}`] : []), ...(fetch < ALL_ROWS ? [`LIMIT ${fetch}`] : [])];
  return lines.join('\n');
}
