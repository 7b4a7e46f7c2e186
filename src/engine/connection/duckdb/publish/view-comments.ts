import { quoteName, quoteText } from '../../../text/sql-quote.ts';
import type { PublishedName } from '../../contract/connection.ts';
import { type Run, readTexts } from '../../contract/run-inner.ts';

/** The comment of a view, whose column is null, or of one of its columns. */
interface ViewComment {
  readonly column: string | null;
  readonly comment: string;
}

/** Lists the comments of a view, which its replacement would not have; none if there is no such view. */
export async function listViewComments(
  run: Run,
  view: PublishedName,
  signal: AbortSignal,
): Promise<readonly ViewComment[]> {
  const from = (list: string, name: string) => `FROM duckdb_${list}() WHERE ${printIsOf(view, name)}`;
  const own = await readTexts(
    await run(`SELECT NULL::VARCHAR, comment ${from('views', 'view_name')}`, signal),
  );
  if (own.length === 0) return [];
  const columns = await run(`SELECT column_name, comment ${from('columns', 'table_name')}`, signal);
  return [...own, ...(await readTexts(columns))].flatMap(([column = null, comment]) =>
    comment === null || comment === undefined ? [] : [{ column, comment }],
  );
}

/** Gives a view its former comments, as far as it still has the columns. */
export async function writeViewComments(
  run: Run,
  view: PublishedName,
  comments: readonly ViewComment[],
  signal: AbortSignal,
): Promise<void> {
  const name = [view.database, view.schema, view.name].map(quoteName).join('.');
  const listed = await run(
    `SELECT column_name FROM duckdb_columns() WHERE ${printIsOf(view, 'table_name')}`,
    signal,
  );
  // The statement compares the case of the names.
  const columns = new Map((await readTexts(listed)).map(([own]) => [own!.toLowerCase(), own!]));
  for (const { column, comment } of comments) {
    const own = column === null ? null : columns.get(column.toLowerCase());
    if (own === undefined) continue;
    const object = own === null ? `VIEW ${name}` : `COLUMN ${name}.${quoteName(own)}`;
    await run(`COMMENT ON ${object} IS ${quoteText(comment)}`, signal);
  }
}

function printIsOf({ database, schema, name }: PublishedName, column: string): string {
  return `database_name = ${quoteText(database)} AND lower(schema_name) = lower(${quoteText(schema)})
    AND lower(${column}) = lower(${quoteText(name)})`;
}
