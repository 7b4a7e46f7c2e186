import { elementAt } from '../../invariants/must.ts';
import { findHomeInUse } from '../actions/find-home-in-use.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config set`: writes a setting into the `config.toml` of the home. */
export const run: RunCommand<'config set'> = async (context, { args }) => {
  refuseUser(context, 'settings are of the home');
  const { env, stderr, notices } = context;
  const home = await findHomeInUse(context);
  const { configFile, readSettings } = await import('../../workspace/home/home-config.ts');
  const { findSetting } = await import('../../workspace/home/explain-settings.ts');
  const { setSetting } = await import('../../workspace/home/set-setting.ts');
  const setting = findSetting(elementAt(args, 0));
  const faults = setSetting(home, setting, elementAt(args, 1));
  if (faults.length > 0) {
    await printDiagnostics(context, stderr, faults);
    return EXIT.usage;
  }
  await notices.write(`set ${setting.key} in ${configFile(home)}\n`);
  if (readSettings({ home, env }).findOrigin(setting) === 'variable') {
    await stderr.write(`warning: ${setting.variable} is set in this environment, and comes before it\n`);
  }
  return EXIT.done;
};
