import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Command } from '../context/command.ts';
import { SETTING_OPTIONS } from './setting-options.ts';
import { JSON_OPTION } from './shared-options.ts';

const { port, trustProxy } = SETTINGS;

const KEY = { name: '<key>', summary: `setting, such as ${port.key}` };

/** The commands about settings, in the order of the help. */
export const CONFIG_COMMANDS = [
  {
    name: 'config get',
    summary: 'print the value of a setting',
    args: [KEY],
    options: [],
    examples: [`quern config get ${port.key}`],
  },
  {
    name: 'config set',
    summary: "write a setting to the home's config.toml",
    args: [KEY, { name: '<value>', summary: 'value; separate the values of a list with commas' }],
    options: [],
    examples: [
      `quern config set ${port.key} 8443`,
      `quern config set ${trustProxy.key} 10.0.0.7,10.1.0.0/16`,
    ],
  },
  {
    name: 'config unset',
    summary: "remove a setting from the home's config.toml",
    args: [KEY],
    options: [],
    examples: [`quern config unset ${port.key}`],
  },
  {
    name: 'config explain',
    summary: 'show settings, their allowed values, and the source of each value',
    args: [{ name: '[key]', summary: 'one setting (default: all)' }],
    options: [...SETTING_OPTIONS, JSON_OPTION],
    examples: [
      'quern config',
      `quern config explain ${port.key}`,
      `quern config explain ${flagOf(port)} 9000`,
    ],
    defaultFor: Object.values(SETTINGS).map((setting) => setting.key),
  },
] as const satisfies readonly Command[];
