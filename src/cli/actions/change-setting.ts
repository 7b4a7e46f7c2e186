import type { Setting } from '../../settings/setting.ts';
import type { setSetting } from '../../workspace/home/set-setting.ts';
import type { CliContext } from '../context/context.ts';
import { printDiagnostics } from '../print/print-diagnostics.ts';
import { findHomeInUse } from './find-home-in-use.ts';
import { refuseUser } from './refuse-user.ts';

/** A change of a setting in the `config.toml` of the home; returns the errors of that file. */
type Change = (home: string, setting: Setting) => ReturnType<typeof setSetting>;

/**
 * Changes a setting, and confirms it with `verb`. Returns the setting and its home; null after printing why the file cannot
 * be changed. Throws a SettingError for an unknown key.
 */
export async function changeSetting(
  context: CliContext,
  key: string,
  verb: 'set' | 'unset',
  change: Change,
): Promise<{ readonly home: string; readonly setting: Setting } | null> {
  refuseUser(context, 'settings are of the home');
  const home = await findHomeInUse(context);
  const { configFile } = await import('../../workspace/home/home-config.ts');
  const { findSetting } = await import('../../workspace/home/explain-settings.ts');
  const setting = findSetting(key);
  const errors = change(home, setting);
  if (errors.length > 0) {
    await printDiagnostics(context, context.stderr, errors);
    return null;
  }
  await context.notices.write(`${verb} ${setting.key} in ${configFile(home)}\n`);
  return { home, setting };
}
