import type { ReasonBody } from '../../identity/grants/grant-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern grant explain`: prints the permission of a user on a target, and one line per reason. */
export const run: RunCommand<'grant explain'> = async (context, { args, options }) => {
  const [userName, target] = [elementAt(args, 0), elementAt(args, 1)];
  const explanation = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.explain(principal, userName, target),
  ).catch(explainError);
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
      return 'administrators have MANAGE on everything except the @Personal of other users';
    case 'own_home':
      return "it is in the user's own @Personal";
    case 'other_home':
      return 'it is in the @Personal of another user';
    case 'namespace':
      return 'everyone may list and read a namespace itself';
    case 'role':
      return `the role ${reason.role} allows at most ${reason.level}`;
    case 'grant':
      return printGrant(reason);
  }
}

function printGrant({ subject, level, target, cut_off_by }: Extract<ReasonBody, { kind: 'grant' }>): string {
  const text = `${subject} has ${level} on ${target}`;
  return cut_off_by === null ? text : `${text}, but it has no effect: ${cut_off_by} is restricted`;
}
