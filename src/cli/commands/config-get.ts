import { elementAt } from '../../invariants/must.ts';
import { SettingError } from '../../settings/setting.ts';
import { withSettings } from '../actions/with-settings.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config get`: prints the value of a setting, or an empty line without a value. */
export const run: RunCommand<'config get'> = (context, { args }) =>
  withSettings(context, {}, async (home, settings) => {
    const { explainSetting, findSetting } = await import('../../workspace/home/explain-settings.ts');
    const setting = findSetting(elementAt(args, 0));
    if (setting.isSecret) throw new SettingError(`\`${setting.key}\` is secret: it is never printed`);
    const { value, error } = explainSetting(home, settings, setting);
    if (error !== null) throw new SettingError(error);
    await context.stdout.write(`${value ?? ''}\n`);
    return EXIT.done;
  });
