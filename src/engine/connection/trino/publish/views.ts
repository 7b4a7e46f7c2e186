import { checkLoss } from '../../contract/belongings.ts';
import type { PublishedName } from '../../contract/connection.ts';
import { findPublished } from '../../server/publishing.ts';
import type { Statements } from '../../server/publishing-platform.ts';
import { readView } from './definitions.ts';
import type { Hidden } from './hidden.ts';
import { NAMES, print, quoteName, quoteText } from './publishing-sql.ts';
import type { Tables } from './tables.ts';

const never = new AbortController().signal;

interface ViewTools {
  readonly hidden: Hidden;
  readonly tables: Tables;
}

/** Replaces any object with a view. Rejects with a DatabaseError if something would be lost with a table. */
export async function replaceByView(
  statements: Statements,
  { hidden, tables }: ViewTools,
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<void> {
  const found = await findPublished(statements, NAMES, target, signal);
  if (found === 'view') return replaceView(statements, tables, [target, query], signal);
  if (found === null) {
    await tables.create(`CREATE OR REPLACE VIEW ${print(target)}`, query, signal);
    return;
  }
  checkLoss(print(target), await tables.listBelongings(target, signal), 'view');
  // A view that cannot be created must not cost the table.
  const fresh = hidden.name(target, 'view');
  await tables.create(`CREATE VIEW ${print(fresh)}`, query, signal);
  await statements.run(`DROP VIEW ${print(fresh)}`, signal);
  const create = () => tables.create(`CREATE VIEW ${print(target)}`, query, never);
  await tables.putInPlace(target, signal, create);
}

/** Gives a view another query; its comments and its security stay. */
async function replaceView(
  statements: Statements,
  tables: Tables,
  [target, query]: readonly [target: PublishedName, query: string],
  signal: AbortSignal,
): Promise<void> {
  const { options, comments } = await readView(statements, target, signal);
  await tables.create(`CREATE OR REPLACE VIEW ${print(target)} ${options}`, query, signal);
  if (comments.size === 0) return;
  for (const { name } of await tables.listColumns(target, never)) {
    const comment = comments.get(name);
    if (comment === undefined) continue;
    const column = `${print(target)}.${quoteName(name)}`;
    await statements.run(`COMMENT ON COLUMN ${column} IS ${quoteText(comment)}`, never);
  }
}
