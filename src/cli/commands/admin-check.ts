import { withHomeFiles } from '../actions/with-home-files.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printChecks } from '../print/print-checks.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern admin check`: checks the home, and exits with 1 if it finds a problem. */
export const run: RunCommand<'admin check'> = (context, { options }) =>
  withHomeFiles(context, async (home) => {
    const { checkHome } = await import('../../workspace/setup/check-home.ts');
    const checks = await checkHome(home, context.env, context.signal);
    await printChecks(context, checks, options.json);
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
  });
