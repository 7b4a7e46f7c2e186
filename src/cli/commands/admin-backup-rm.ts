import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern admin backup rm`: deletes a backup in the home's folder, and stops it first if it is being written. */
export const run: RunCommand<'admin backup rm'> = (context, { args }) =>
  withWorkspace(context, async ({ backups, principal }) => {
    const name = elementAt(args, 0);
    await backups.delete(principal, name);
    await context.notices.write(`deleted the backup ${name}\n`);
    return EXIT.done;
  });
