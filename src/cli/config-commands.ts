import type { Command } from './context/command.ts';
import { SETTING_OPTIONS } from './options/setting-options.ts';

const KEY = { name: '<key>', summary: 'the setting, such as server.port' };

/** The commands about the settings of a home. */
export const CONFIG_COMMANDS: readonly Command[] = [
  {
    name: 'config get',
    summary: 'print the value of a setting',
    args: [KEY],
    options: [],
    examples: ['quern config get server.port'],
    load: () => import('./commands/config-get.ts'),
  },
  {
    name: 'config set',
    summary: "write a setting into the home's config.toml",
    args: [KEY, { name: '<value>', summary: 'its value; lists have commas' }],
    options: [],
    examples: [
      'quern config set server.port 8443',
      'quern config set server.trust_proxy 10.0.0.7,10.1.0.0/16',
    ],
    load: () => import('./commands/config-set.ts'),
  },
  {
    name: 'config explain',
    summary: 'show settings, what they may be, and where their values come from',
    args: [{ name: '[key]', summary: 'one setting (default: all)' }],
    options: [...SETTING_OPTIONS, { flags: '--json', summary: 'print the records as JSON' }],
    examples: ['quern config', 'quern config explain server.port', 'quern config explain --port 9000'],
    isDefault: true,
    load: () => import('./commands/config-explain.ts'),
  },
];
