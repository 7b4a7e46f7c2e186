import { elementAt } from '../../invariants/must.ts';
import type { SettingBody } from '../../workspace/home/explain-settings.ts';
import { findHomeInUse } from '../actions/find-home-in-use.ts';
import { refuseUser } from '../actions/refuse-user.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config unset`: removes a setting from the `config.toml` of the home, and prints the value that counts now. */
export const run: RunCommand<'config unset'> = async (context, { args }) => {
  refuseUser(context, 'settings are of the home');
  const { env, cwd, stderr, notices } = context;
  const home = await findHomeInUse(context);
  const { configFile, readSettings } = await import('../../workspace/home/home-config.ts');
  const { explainSetting, findSetting } = await import('../../workspace/home/explain-settings.ts');
  const { unsetSetting } = await import('../../workspace/home/set-setting.ts');
  const setting = findSetting(elementAt(args, 0));
  const errors = unsetSetting(home, setting);
  if (errors.length > 0) {
    await printDiagnostics(context, stderr, errors);
    return EXIT.usage;
  }
  await notices.write(`unset ${setting.key} in ${configFile(home)}\n`);
  const body = explainSetting(home, readSettings({ home, env, cwd }), setting);
  if (body.fault === null) await notices.write(`${printValue(body)}\n`);
  else await stderr.write(`warning: ${body.fault}\n`);
  return EXIT.done;
};

function printValue({ key, value, source, ...body }: SettingBody): string {
  const shown = String(value ?? '') || body.default;
  return shown === '' ? `${key} has no value now` : `${key} is now ${shown} (${source ?? 'default'})`;
}
