import type { UsersToChange } from '../../identity/accounts/user-changes.ts';
import type { UserOutcomesBody } from '../../identity/accounts/user-changes-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { confirm } from '../actions/confirm.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { readText } from '../options/read-text.ts';
import { readActive, readRole } from '../options/read-user.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern user changes`: makes one change to the users of a file, and prints one outcome for each. */
export const run: RunCommand<'user changes'> = async (context, { args, options }) => {
  const text = await readText(context, elementAt(args, 0));
  const users = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const request = { users, ...readSharedChange(options) };
  return withWorkspace(context, async ({ accounts: { changes }, principal }) => {
    if (options.delete && !options.yes && !(await askToDelete(context, users.length))) {
      await context.notices.write('nothing was deleted\n');
      return EXIT.failed;
    }
    return printOutcomes(context, changes.apply(principal, request), options.json);
  }).catch(explainError);
};

function askToDelete(context: CliContext, count: number): Promise<boolean> {
  const what = count === 1 ? 'one user' : `${count} users`;
  const question = `Delete ${what}, with their tokens and everything in their @Personal?`;
  return confirm(context, { question, undone: 'not deleted' });
}

function readSharedChange(options: OptionsOf<'user changes'>): Omit<UsersToChange, 'users'> {
  const { addGroup, removeGroup } = options;
  return {
    active: readActive(options),
    role: readRole(options.role),
    addGroups: addGroup.length === 0 ? undefined : addGroup,
    removeGroups: removeGroup.length === 0 ? undefined : removeGroup,
    endSessions: options.endSessions,
    revokeTokens: options.revokeTokens,
    delete: options.delete,
  };
}

/** Prints the outcomes; fails if a user was not changed. */
async function printOutcomes(
  { stdout, notices }: CliContext,
  { data }: UserOutcomesBody,
  json: boolean,
): Promise<ExitCode> {
  const failed = data.filter(({ done }) => !done);
  if (json) {
    await stdout.write(`${JSON.stringify({ data })}\n`);
  } else {
    for (const { user_name, message } of failed) await notices.write(`${user_name}: ${message}\n`);
    await notices.write(`changed ${data.length - failed.length} of ${data.length} users\n`);
  }
  return failed.length === 0 ? EXIT.done : EXIT.failed;
}
