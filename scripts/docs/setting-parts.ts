import { flagOf, type Setting } from '../../src/settings/setting.ts';
import { SETTINGS } from '../../src/settings/table.ts';
import { printTable } from './print-table.ts';

/** The part of the page of settings. */
export const SETTING_PARTS: Readonly<Record<string, () => string>> = { settings: printSettings };

function printSettings(): string {
  const code = (text: string | undefined) => (text ? `\`${text}\`` : '');
  const rows = Object.values<Setting>(SETTINGS).map((setting) => {
    const { key, variable, range, shownDefault, text } = setting;
    return [code(key), code(flagOf(setting)), code(variable), text, range, shownDefault];
  });
  return printTable(['Key', 'Option', 'Variable', 'Meaning', 'Values', 'Default'], rows);
}
