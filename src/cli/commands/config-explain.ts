import type { SettingBody } from '../../workspace/home/setting-body.ts';
import { withSettings } from '../actions/with-settings.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern config explain`: shows settings with their sources, and exits with 2 if one has an invalid value. */
export const run: RunCommand<'config explain'> = (context, { args: [key], options: { json, ...flags } }) =>
  withSettings(context, flags, async (home, settings) => {
    const { explainSetting, findSetting, listSettings } = await import(
      '../../workspace/home/explain-settings.ts'
    );
    const chosen = key === undefined ? listSettings() : [findSetting(key)];
    const bodies = chosen.map((setting) => explainSetting(home, settings, setting));
    await context.stdout.write(json ? `${JSON.stringify({ data: bodies })}\n` : bodies.map(print).join(''));
    return bodies.every(({ error }) => error === null) ? EXIT.done : EXIT.usage;
  });

function print(body: SettingBody): string {
  const { values, text, option, variable } = body;
  const fallback = body.default === '' ? [] : [`default: ${body.default}`];
  const ways = [option, variable].filter((way) => way !== null);
  const about = [values, ...fallback, ways.join(', ')].filter((part) => part !== '');
  return `${printValue(body)}\n  ${text}\n  ${about.join('; ')}\n`;
}

function printValue({ key, value, is_set, source, error, ...body }: SettingBody): string {
  const from = source === null ? '' : ` (${source})`;
  if (error !== null) return `${key}${from}: error: ${error}`;
  if (value === null) return is_set ? `${key} is set${from}` : `${key} is not set`;
  return `${key} = ${String(value) || body.default}${from}`;
}
