import { confirm } from '../actions/confirm.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printPending } from '../print/print-saml.ts';
import type { RunCommand } from '../table/commands.ts';

const CONFIRMATION = {
  question: 'Apply the changed metadata?',
  undone: 'not applied',
};

/** `quern sso saml apply-metadata`: shows the changes, asks on a terminal, and applies them. */
export const run: RunCommand<'sso saml apply-metadata'> = (context, { options }) =>
  withWorkspace(context, async ({ accounts: { samlAdmin }, principal }) => {
    const before = samlAdmin.get(principal);
    const [changes] = printPending(before);
    if (changes !== undefined && !options.json) await context.notices.write(changes);
    if (changes !== undefined && !options.yes && !(await confirm(context, CONFIRMATION))) {
      await context.notices.write('nothing was applied\n');
      return EXIT.failed;
    }
    const after = samlAdmin.applyMetadata(principal, before.pending_metadata?.digest ?? '');
    if (options.json) await context.stdout.write(`${JSON.stringify(after)}\n`);
    else await context.notices.write('applied the changed metadata\n');
    return EXIT.done;
  });
