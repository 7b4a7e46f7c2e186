import type { Settings } from '../../settings/read-settings.ts';
import type { Raw } from '../../settings/setting.ts';
import type { CliContext } from '../context/context.ts';
import type { ExitCode } from '../context/exit-codes.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { findHomeInUse } from './find-home-in-use.ts';
import { refuseUser } from './refuse-user.ts';

/** Runs a command about the settings of a home; errors of `config.toml` are printed with their positions. */
export async function withSettings(
  context: CliContext,
  options: Readonly<Record<string, Raw | undefined>>,
  use: (home: string, settings: Settings) => Promise<ExitCode>,
): Promise<ExitCode> {
  refuseUser(context, 'settings are of the home');
  const { env, cwd } = context;
  const home = await findHomeInUse(context);
  const { readHomeConfig, readSettings } = await import('../../workspace/home/home-config.ts');
  const { errors } = readHomeConfig(home);
  if (errors === undefined) {
    return use(home, readSettings({ home, env, cwd, flags: { ...options, home: context.home } }));
  }
  await printDiagnostics(context, context.stderr, errors);
  return EXIT.usage;
}
