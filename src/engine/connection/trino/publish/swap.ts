import { DatabaseError, type PublishedName } from '../../contract/connection.ts';
import { findPublished } from '../../server/publishing.ts';
import type { Statements } from '../../server/publishing-platform.ts';
import { hasErrorName } from './error-names.ts';
import { NAMES, print } from './publishing-sql.ts';

const never = new AbortController().signal;

/** A target, which is called `aside` while `make` creates another object of its name. */
export interface Swapped {
  readonly target: PublishedName;
  readonly aside: PublishedName;
  readonly make: () => Promise<unknown>;
}

/**
 * Replaces a target, which is missing for a moment. If the new object cannot be created, the old one gets its name back.
 * Rejects with a DatabaseError, `conflict` if others have changed the target at the same time.
 */
export async function replaceByRename(
  statements: Statements,
  { target, aside, make }: Swapped,
  signal: AbortSignal,
): Promise<void> {
  if ((await findPublished(statements, NAMES, target, signal)) === null) {
    await make();
    return;
  }
  await rename(statements, target, aside, signal);
  try {
    await make();
  } catch (error) {
    // If that fails, another publication has given the name to something newer.
    await rename(statements, aside, target, never).catch(() => drop(statements, aside));
    throw error;
  }
  await drop(statements, aside);
}

/** Renames a table or view. Rejects with a DatabaseError, `conflict` if others have changed one of the names. */
export async function rename(
  statements: Statements,
  from: PublishedName,
  to: PublishedName,
  signal: AbortSignal,
): Promise<void> {
  const type = await findPublished(statements, NAMES, from, signal);
  try {
    await statements.run(`ALTER ${type ?? 'table'} ${print(from)} RENAME TO ${print(to)}`, signal);
  } catch (error) {
    if (!hasErrorName(error, 'TABLE_NOT_FOUND', 'TABLE_ALREADY_EXISTS')) throw error;
    throw new DatabaseError('conflict', 'Another publication has replaced the target.', undefined, {
      cause: error,
    });
  }
}

async function drop(statements: Statements, name: PublishedName): Promise<void> {
  const existingKind = await findPublished(statements, NAMES, name, never);
  if (existingKind !== null) await statements.run(`DROP ${existingKind} ${print(name)}`, never);
}
