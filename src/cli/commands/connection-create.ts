import { ServiceError } from '../../errors/service-error.ts';
import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { describeError, UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readNewSettings } from '../options/read-connection.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern connection create`: creates a connection, or replaces the one with its name. */
export const run: RunCommand<'connection create'> = async (context, { args, options }) => {
  const stored = await withWorkspace(context, async ({ connections, principal }) => {
    const settings = await readNewSettings(context, options, connections.listKinds());
    const fields = { ...settings, name: elementAt(args, 0) };
    return options.replace
      ? connections.replace(principal, fields, context.cwd)
      : connections.create(principal, fields, context.cwd);
  }).catch(explain);
  if (options.json) await context.stdout.write(`${JSON.stringify(stored)}\n`);
  else await context.notices.write(`stored the connection ${stored.name} (revision ${stored.revision})\n`);
  return EXIT.done;
};

/** Converts a refused body to a usage error. */
function explain(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  if (error.status === 400) throw new UsageError(describeError(error));
  if (error.status !== 409) throw error;
  throw new UsageError(`${describeError(error)}; --replace replaces it`, EXIT.failed);
}
