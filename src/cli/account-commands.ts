import type { Command, CommandOption } from './context/command.ts';

const JSON_OPTION: CommandOption = { flags: '--json', summary: 'print the record as JSON' };
/** Of every command that deletes. */
export const YES: CommandOption = { flags: '-y, --yes', summary: 'delete without a question' };
const USER_NAME = { name: '<name>', summary: 'user name' } as const;
const GROUP_NAME = { name: '<name>', summary: 'name of the group' } as const;
const USERS = { name: '<users...>', summary: 'user names' } as const;
const OWNER: CommandOption = {
  flags: '--user <name>',
  summary: 'whose token it is, by user name or e-mail address (default: your own)',
};
const ACCOUNT_OPTIONS: readonly CommandOption[] = [
  { flags: '--email <email>', summary: 'e-mail address' },
  { flags: '--display-name <text>', summary: 'how the user is called' },
  { flags: '--role <role>', summary: 'ADMIN, EDITOR or VIEWER (default of a new user: EDITOR)' },
  { flags: '--password-stdin', summary: 'read the password from standard input' },
  { flags: '--disabled', summary: 'let the user do nothing' },
];

/** The commands about users, groups and tokens, in the order in which help shows them. */
export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'user ls',
    summary: 'list the users',
    args: [],
    options: [JSON_OPTION],
    load: () => import('./commands/user-ls.ts'),
  },
  {
    name: 'user create',
    summary: 'make a user',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, JSON_OPTION],
    load: () => import('./commands/user-create.ts'),
  },
  {
    name: 'user set',
    summary: 'change a user, and leave what is not named',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, { flags: '--enabled', summary: 'take --disabled back' }, JSON_OPTION],
    load: () => import('./commands/user-set.ts'),
  },
  {
    name: 'user rm',
    summary: "delete a user, the user's tokens and @Personal",
    args: [USER_NAME],
    options: [YES],
    load: () => import('./commands/user-rm.ts'),
  },
  {
    name: 'group ls',
    summary: 'list the groups with their members',
    args: [],
    options: [JSON_OPTION],
    load: () => import('./commands/group-ls.ts'),
  },
  {
    name: 'group create',
    summary: 'make a group',
    args: [GROUP_NAME],
    options: [{ flags: '--display-name <text>', summary: 'how the group is called' }, JSON_OPTION],
    load: () => import('./commands/group-create.ts'),
  },
  {
    name: 'group add',
    summary: 'put users into a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
    load: () => import('./commands/group-add.ts'),
  },
  {
    name: 'group remove',
    summary: 'take users out of a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
    load: () => import('./commands/group-remove.ts'),
  },
  {
    name: 'group rm',
    summary: 'delete a group; its members stay',
    args: [GROUP_NAME],
    options: [YES],
    load: () => import('./commands/group-rm.ts'),
  },
  {
    name: 'token create',
    summary: 'make a personal access token and print it, this once',
    args: [],
    options: [
      { flags: '--name <name>', summary: 'what it is called' },
      OWNER,
      { flags: '--expires <when>', summary: '90d, 2027-01-31 or never (default: never)' },
      { flags: '--read-only', summary: 'it changes nothing' },
      { flags: '--description <text>', summary: 'what it is for' },
      JSON_OPTION,
    ],
    load: () => import('./commands/token-create.ts'),
  },
  {
    name: 'token ls',
    summary: 'list the tokens of a user',
    args: [],
    options: [OWNER, JSON_OPTION],
    load: () => import('./commands/token-ls.ts'),
  },
  {
    name: 'token rm',
    summary: 'delete a token, which is good for nothing from then on',
    args: [{ name: '<name>', summary: 'name or id of the token' }],
    options: [OWNER, YES],
    load: () => import('./commands/token-rm.ts'),
  },
];
