import { elementAt } from '../../invariants/must.ts';
import { changeSetting } from '../actions/change-setting.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config set`: writes a setting into the `config.toml` of the home. */
export const run: RunCommand<'config set'> = async (context, { args }) => {
  const { readSettings } = await import('../../workspace/home/home-config.ts');
  const { setSetting } = await import('../../workspace/home/set-setting.ts');
  const changed = await changeSetting(context, elementAt(args, 0), 'set', (home, setting) =>
    setSetting(home, setting, elementAt(args, 1)),
  );
  if (changed === null) return EXIT.usage;
  const { home, setting } = changed;
  const { env, stderr } = context;
  if (readSettings({ home, env }).findOrigin(setting) === 'variable') {
    await stderr.write(`warning: ${setting.variable} is set in this environment and overrides it\n`);
  }
  return EXIT.done;
};
