import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printPending } from '../print/print-saml.ts';
import type { RunCommand } from '../table/commands.ts';
import { askWhether, canAsk } from '../terminal/prompts.ts';

/** `quern sso saml apply-metadata`: shows what has changed, asks on a terminal, and puts it in place of what counts. */
export const run: RunCommand<'sso saml apply-metadata'> = (context, { options }) =>
  withWorkspace(context, async ({ accounts: { saml } }) => {
    const before = await saml.get();
    const [changes] = printPending(before);
    if (changes !== undefined && !options.json) await context.stderr.write(changes);
    if (changes !== undefined && !options.yes && !(await isWanted(context))) {
      await context.stderr.write('nothing was applied\n');
      return EXIT.failed;
    }
    const after = await saml.applyMetadata(before.pending_metadata?.digest ?? '');
    if (options.json) await context.stdout.write(`${JSON.stringify(after)}\n`);
    else await context.stderr.write('applied the changed metadata\n');
    return EXIT.done;
  });

async function isWanted(context: CliContext): Promise<boolean> {
  if (canAsk(context)) return askWhether('Apply the changed metadata?', context);
  throw new UsageError(
    'nothing was applied, because there is no terminal to confirm it on: pass `--yes` to apply without a question',
  );
}
