import { elementAt } from '../../invariants/must.ts';
import type { ReasonBody } from '../../workspace/api/accounts-api.ts';
import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant explain`: what a user may do with a target, and below it a line for each reason. */
export const run: RunCommand<'grant explain'> = async (context, { args, options }) => {
  const [userName, target] = [elementAt(args, 0), elementAt(args, 1)];
  const explanation = await withWorkspace(context, ({ accounts }) =>
    accounts.grants.explain(userName, target).catch(explainRefusal),
  );
  const { user, level, reasons } = explanation;
  const lines = reasons.length === 0 ? ['nothing is granted'] : reasons.map(toSentence);
  const text = [`${user} has ${level} on ${explanation.target}`, ...lines.map((line) => `- ${line}`)];
  await context.stdout.write(
    options.json ? `${JSON.stringify(explanation)}\n` : text.map((line) => `${line}\n`).join(''),
  );
  return EXIT.done;
};

function toSentence(reason: ReasonBody): string {
  switch (reason.kind) {
    case 'disabled':
      return 'the user is disabled';
    case 'super_user':
      return 'administrators have MANAGE on everything but the @Personal of others';
    case 'own_home':
      return 'it is in the own @Personal';
    case 'other_home':
      return 'it is in the @Personal of somebody else';
    case 'namespace':
      return 'everyone may list and read a namespace itself';
    case 'role':
      return `the role ${reason.role} allows ${reason.level} at the most`;
    case 'grant':
      return printGrant(reason);
  }
}

function printGrant({ subject, level, target, cut_off_by }: Extract<ReasonBody, { kind: 'grant' }>): string {
  const text = `${subject} has ${level} on ${target}`;
  return cut_off_by === null ? text : `${text}, which does not count: ${cut_off_by} is restricted`;
}
