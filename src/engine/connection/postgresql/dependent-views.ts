import { DatabaseError, type PublishedName } from '../contract/connection.ts';
import type { Run } from '../contract/run-inner.ts';
import type { Statements } from '../server/publishing-platform.ts';
import { print, printGrants, printId, printViewComments } from './publishing-sql.ts';

interface DependentView {
  readonly view: PublishedName;
  readonly definition: string;
  /** Why the view cannot be created again unchanged; null if it can. */
  readonly obstacle: string | null;
}

/**
 * Does some work while no view reads an object: drops the views that read it, directly or indirectly, and creates them
 * again afterwards with their privileges and comments. Must run in a transaction. Rejects with a DatabaseError that names a view
 * which cannot be created again.
 */
export async function withoutViews(
  target: PublishedName,
  { run, select }: Statements,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const views = (await select(printDependents(target), signal)).map((row) => toView(target, row));
  const stuck = views.find(({ obstacle }) => obstacle !== null);
  if (stuck !== undefined) {
    const message = `The columns of ${print(target)} would change, and it is read by ${print(stuck.view)}, which ${stuck.obstacle}: drop that first.`;
    throw new DatabaseError('sql', message);
  }
  const later: string[] = [];
  for (const { view } of views) {
    for (const statement of [printGrants(view, view), printViewComments(view)]) {
      later.push(...(await select(statement, signal)).map(([own]) => own!));
    }
  }
  for (const { view } of views.toReversed()) await run(`DROP VIEW ${print(view)}`, signal);
  await work();
  for (const { view, definition } of views) await recreateView(target, view, definition, run, signal);
  for (const statement of later) await run(statement, signal);
}

async function recreateView(
  target: PublishedName,
  view: PublishedName,
  definition: string,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  try {
    await run(`CREATE VIEW ${print(view)} AS ${definition}`, signal);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
    const message = `The view ${print(view)} cannot read the new ${print(target)}: ${error.message}`;
    throw new DatabaseError('sql', message, undefined, { cause: error.cause });
  }
}

function toView(
  target: PublishedName,
  [schema, name, definition, obstacle = null]: readonly (string | null)[],
): DependentView {
  return { view: { ...target, schema: schema!, name: name! }, definition: definition!, obstacle };
}

/** The views that read an object, in the order of their dependencies. */
function printDependents(target: PublishedName): string {
  const reads = `pg_catalog.pg_depend AS own
      JOIN pg_catalog.pg_rewrite AS rule ON rule.oid = own.objid AND own.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass`;
  return `WITH RECURSIVE dependents AS (
      SELECT rule.ev_class AS id, 1 AS depth FROM ${reads}
      WHERE own.refobjid = ${printId(target)} AND rule.ev_class <> own.refobjid
      UNION
      SELECT rule.ev_class, dependents.depth + 1 FROM dependents JOIN (${reads}) ON own.refobjid = dependents.id
      WHERE rule.ev_class <> dependents.id
    )
    SELECT space.nspname::text, view.relname::text, pg_catalog.pg_get_viewdef(view.oid),
      CASE WHEN view.relkind <> 'v' THEN 'is not a plain view'
        WHEN view.relowner <> current_user::pg_catalog.regrole THEN 'belongs to another user'
        WHEN view.reloptions IS NOT NULL THEN 'has view options'
        WHEN view.relhastriggers THEN 'has triggers'
        WHEN EXISTS (SELECT FROM pg_catalog.pg_attribute WHERE attrelid = view.oid AND attacl IS NOT NULL)
          THEN 'has rights in columns'
        WHEN EXISTS (SELECT FROM pg_catalog.pg_attrdef WHERE adrelid = view.oid)
          THEN 'has defaults of columns' END
    FROM (SELECT id, max(depth) AS depth FROM dependents GROUP BY id) AS found
      JOIN pg_catalog.pg_class AS view ON view.oid = found.id
      JOIN pg_catalog.pg_namespace AS space ON space.oid = view.relnamespace
    ORDER BY found.depth, view.relname`;
}
