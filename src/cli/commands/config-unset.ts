import { elementAt } from '../../invariants/must.ts';
import type { SettingBody } from '../../workspace/home/setting-body.ts';
import { changeSetting } from '../actions/change-setting.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config unset`: removes a setting from the `config.toml` of the home, and prints the value that now applies. */
export const run: RunCommand<'config unset'> = async (context, { args }) => {
  const { readSettings } = await import('../../workspace/home/home-config.ts');
  const { explainSetting } = await import('../../workspace/home/explain-settings.ts');
  const { unsetSetting } = await import('../../workspace/home/set-setting.ts');
  const changed = await changeSetting(context, elementAt(args, 0), 'unset', unsetSetting);
  if (changed === null) return EXIT.usage;
  const { home, setting } = changed;
  const { env, cwd, stderr, notices } = context;
  const body = explainSetting(home, readSettings({ home, env, cwd }), setting);
  if (body.error === null) await notices.write(`${printValue(body)}\n`);
  else await stderr.write(`warning: ${body.error}\n`);
  return EXIT.done;
};

function printValue({ key, value, source, ...body }: SettingBody): string {
  const shown = String(value ?? '') || body.default;
  return shown === '' ? `${key} has no value now` : `${key} is now ${shown} (${source ?? 'default'})`;
}
