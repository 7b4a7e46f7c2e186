import { findOrMakeHome } from '../actions/find-or-make-home.ts';
import { openConsole } from '../actions/open-console.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import type { OptionValue } from '../context/command.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/**
 * `quern ui`: signs the home's owner in at the console of the home's server. Without a server, serves the home until a
 * signal stops it.
 */
export const run: RunCommand<'ui'> = async (context, { options: { open, ...options } }) => {
  refuseUser(context, '`quern ui` signs in the owner of the home');
  const home = await findOrMakeHome(context);
  const opens = open !== false;
  if (await openConsole(context, home, { opens })) {
    if (Object.values(options).some(isGiven)) {
      await context.stderr.write(
        'warning: a server runs on this home already: its settings stay as they are\n',
      );
    }
    return EXIT.done;
  }
  const { serveHome } = await import('./serve.ts');
  return serveHome(context, home, options, async () => {
    await openConsole(context, home, { opens });
  });
};

/** An option that may be repeated is an empty list where it is not given. */
function isGiven(value: OptionValue): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
