import path from 'node:path';
import { SETTINGS } from '../../settings/table.ts';
import { hasChildren } from '../actions/find-item.ts';
import { findOrMakeHome } from '../actions/find-or-make-home.ts';
import { openConsole } from '../actions/open-console.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { OptionValue } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { SAMPLE_FOLDER } from '../table/sample-folder.ts';

/**
 * `quern ui`: signs the home's owner in at the console of the home's server, which can open a script with its result.
 * Without a server, serves the home until a signal stops it.
 */
export const run: RunCommand<'ui'> = async (initialContext, { args, options: { open, ...options } }) => {
  refuseUser(initialContext, '`quern ui` signs in the owner of the home');
  const context = await preferSample(initialContext);
  if (args[0] !== undefined) await checkScript(context, args[0]);
  const home = await findOrMakeHome(context);
  const { readSettings } = await import('../../workspace/home/home-config.ts');
  const script = args[0] ?? readSettings({ home, env: context.env }).get(SETTINGS.uiScript);
  const shown = { opens: open !== false, script };
  if (await openConsole(context, home, shown)) {
    if (Object.values(options).some(isGiven)) {
      await context.stderr.write(
        'warning: a server runs on this home already: its settings stay as they are\n',
      );
    }
    return EXIT.done;
  }
  const { serveHome } = await import('./serve.ts');
  return serveHome(context, home, options, async () => {
    await openConsole(context, home, shown);
  });
};

/** Throws an error for a path without a script, before a server starts. */
function checkScript(context: CliContext, path: string): Promise<void> {
  return withWorkspace(context, ({ catalog, principal }) => {
    if (!hasChildren(catalog.get(principal, path).body)) return;
    throw new UsageError('Path must be an asset', EXIT.failed, 'the path is a folder; name a script in it');
  });
}

/** After `quern demo` in a folder without a home, `quern ui` opens the sample project. */
async function preferSample(context: CliContext): Promise<CliContext> {
  const { findHome, isHomeNamed } = await import('../../workspace/home/find-home.ts');
  const { hasHome } = await import('../../workspace/setup/create-home.ts');
  const search = { ...context, flag: context.home };
  const sample = path.join(context.cwd, SAMPLE_FOLDER, '.quern');
  if (isHomeNamed(search) || hasHome(findHome(search)) || !hasHome(sample)) return context;
  await context.notices.write(`using the sample project in ${SAMPLE_FOLDER}\n`);
  return Object.create(context, { home: { value: sample } });
}

/** An option that may be repeated is an empty list where it is not given. */
function isGiven(value: OptionValue): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
