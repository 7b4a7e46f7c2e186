import type { Setting } from '../../settings/setting.ts';
import { tableOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { CommandOption } from '../context/command.ts';

/** The options of `quern serve`: those of the settings in `config.toml` that have one. */
export const SETTING_OPTIONS: readonly CommandOption[] = Object.values<Setting>(SETTINGS).flatMap(
  (setting) => {
    const { flag, text, shownDefault, kind } = setting;
    if (flag === undefined || tableOf(setting) === null) return [];
    const often = kind === 'list' ? '; may be repeated' : '';
    const fallback = shownDefault === '' ? '' : ` (default: ${shownDefault})`;
    const reader = kind === 'flag' ? 'text' : kind;
    return [{ flags: flag, summary: `${text}${often}${fallback}`, reader }];
  },
);
