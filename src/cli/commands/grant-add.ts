import { GRANTED_LEVELS } from '../../identity/principal/permissions.ts';
import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

const { item, connection } = GRANTED_LEVELS;
const LEVELS: readonly string[] = [...item, ...connection];
const printLevels = (levels: readonly string[]) =>
  levels
    .join(', ')
    .toLowerCase()
    .replace(/, (?=\w+$)/, ' or ');

/** `quern grant add`: grants a level to a user, a group or everyone. */
export const run: RunCommand<'grant add'> = async (context, { args, options }) => {
  const [subject, level, target] = [elementAt(args, 0), elementAt(args, 1), elementAt(args, 2)];
  if (!LEVELS.includes(level.toUpperCase())) {
    throw new UsageError(
      `unknown level ${level}: use ${printLevels(item)}; for a connection ${printLevels(connection)}`,
    );
  }
  const grant = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.set(principal, { subject, level: level.toUpperCase(), target }),
  ).catch(explainError);
  if (options.json) await context.stdout.write(`${JSON.stringify(grant)}\n`);
  else await context.notices.write(`${grant.subject} has ${grant.level} on ${grant.target}\n`);
  return EXIT.done;
};
