import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printReason } from '../print/print-reason.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant explain`: prints the permission of a user on a target, and one line per reason. */
export const run: RunCommand<'grant explain'> = async (context, { args, options }) => {
  const [userName, target] = [elementAt(args, 0), elementAt(args, 1)];
  const explanation = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.explain(principal, userName, target),
  ).catch(explainError);
  const { user, level, reasons } = explanation;
  const lines = reasons.length === 0 ? ['nothing is granted'] : reasons.map(printReason);
  const text = [`${user} has ${level} on ${explanation.target}`, ...lines.map((line) => `- ${line}`)];
  await context.stdout.write(
    options.json ? `${JSON.stringify(explanation)}\n` : text.map((line) => `${line}\n`).join(''),
  );
  return EXIT.done;
};
