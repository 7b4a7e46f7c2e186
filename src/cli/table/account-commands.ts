import type { Command, CommandOption } from '../context/command.ts';
import { JSON_OPTION, YES } from './shared-options.ts';

const USER_NAME = { name: '<name>', summary: 'user name' } as const;
const GROUP_NAME = { name: '<name>', summary: 'name of the group' } as const;
const USERS = { name: '<users...>', summary: 'user names' } as const;
const OWNER = {
  flags: '--user <name>',
  summary: 'whose token it is, by user name or e-mail address (default: your own)',
} as const satisfies CommandOption;
const ACCOUNT_OPTIONS = [
  { flags: '--email <email>', summary: 'e-mail address' },
  { flags: '--display-name <text>', summary: 'how the user is called' },
  { flags: '--role <role>', summary: 'ADMIN, EDITOR or VIEWER (default of a new user: EDITOR)' },
  { flags: '--password-stdin', summary: 'read the password from standard input' },
  { flags: '--disabled', summary: 'let the user do nothing' },
] as const satisfies readonly CommandOption[];

/** The commands about users, groups and tokens, in the order in which help shows them. */
export const ACCOUNT_COMMANDS = [
  {
    name: 'user ls',
    summary: 'list the users',
    args: [],
    options: [JSON_OPTION],
  },
  {
    name: 'user create',
    summary: 'make a user',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, JSON_OPTION],
  },
  {
    name: 'user set',
    summary: 'change a user, and leave what is not named',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, { flags: '--enabled', summary: 'take --disabled back' }, JSON_OPTION],
  },
  {
    name: 'user rm',
    summary: "delete a user, the user's tokens and @Personal",
    args: [USER_NAME],
    options: [YES],
  },
  {
    name: 'group ls',
    summary: 'list the groups with their members',
    args: [],
    options: [JSON_OPTION],
  },
  {
    name: 'group create',
    summary: 'make a group',
    args: [GROUP_NAME],
    options: [{ flags: '--display-name <text>', summary: 'how the group is called' }, JSON_OPTION],
  },
  {
    name: 'group add',
    summary: 'put users into a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
  },
  {
    name: 'group remove',
    summary: 'take users out of a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
  },
  {
    name: 'group rm',
    summary: 'delete a group; its members stay',
    args: [GROUP_NAME],
    options: [YES],
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
  },
  {
    name: 'token ls',
    summary: 'list the tokens of a user',
    args: [],
    options: [OWNER, JSON_OPTION],
  },
  {
    name: 'token rm',
    summary: 'delete a token, which is good for nothing from then on',
    args: [{ name: '<name>', summary: 'name or id of the token' }],
    options: [OWNER, YES],
  },
] as const satisfies readonly Command[];
