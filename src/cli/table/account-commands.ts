import { DEFAULT_ROLES } from '../../identity/principal/roles.ts';
import { SCOPES } from '../../identity/principal/scopes.ts';
import type { Command, CommandOption } from '../context/command.ts';
import { DESCRIPTION, JSON_OPTION, UTC, YES } from './shared-options.ts';

const USER_NAME = { name: '<name>', summary: 'user name' } as const;
const GROUP_NAME = { name: '<name>', summary: 'name of the group' } as const;
const USERS = { name: '<users...>', summary: 'user names' } as const;
const OWNER = {
  flags: '--user <name>',
  summary: 'owner of the token, by user name or e-mail address (default: you)',
} as const satisfies CommandOption;
const EMAIL = { flags: '--email <email>', summary: 'e-mail address' } as const satisfies CommandOption;
const ROLE = {
  flags: '--role <role>',
  summary: `ADMIN, ${DEFAULT_ROLES.join(' or ')} (default of a new user: EDITOR)`,
} as const satisfies CommandOption;
const QUERY = {
  flags: '--query <text>',
  summary: 'only those with this part of a name, address or description',
} as const satisfies CommandOption;
const ACCOUNT_OPTIONS = [
  EMAIL,
  { flags: '--display-name <text>', summary: 'display name' },
  ROLE,
  { flags: '--password-stdin', summary: 'read the password from standard input' },
  { flags: '--disabled', summary: 'disable the user' },
] as const satisfies readonly CommandOption[];

/** The commands about users, groups and tokens, in the order of the help. */
export const ACCOUNT_COMMANDS = [
  {
    name: 'user ls',
    summary: 'list the users',
    args: [],
    options: [
      QUERY,
      { flags: '--role <role>', summary: 'only users with this role' },
      { flags: '--state <state>', summary: 'active, disabled, invited or waiting' },
      { flags: '--source <source>', summary: 'local, scim or saml' },
      { flags: '--group <name>', summary: 'only members of this group' },
      JSON_OPTION,
    ],
    examples: ['quern user ls', 'quern user ls --role VIEWER --state disabled', 'quern user ls --json'],
  },
  {
    name: 'user create',
    summary: 'create a user',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, JSON_OPTION],
    examples: ['quern user create ada --email ada@example.org --role EDITOR'],
  },
  {
    name: 'user set',
    summary: 'change the given properties of a user',
    args: [USER_NAME],
    options: [...ACCOUNT_OPTIONS, { flags: '--enabled', summary: 'enable the user' }, JSON_OPTION],
    examples: ['quern user set ada --role VIEWER', 'quern user set ada --disabled'],
  },
  {
    name: 'user rm',
    summary: 'delete a user with their tokens and their @Personal folder',
    args: [USER_NAME],
    options: [YES],
    examples: ['quern user rm ada --yes'],
  },
  {
    name: 'user stop',
    summary: 'disable a user, and end all sessions, tokens and executions of the user',
    args: [USER_NAME],
    options: [JSON_OPTION],
    examples: ['quern user stop ada'],
  },
  {
    name: 'user sessions',
    summary: 'list or end the sessions of a user in the console',
    args: [USER_NAME],
    options: [
      { flags: '--end <id>', summary: 'end this session' },
      { flags: '--end-all', summary: 'end all sessions' },
      UTC,
      JSON_OPTION,
    ],
    examples: ['quern user sessions ada', 'quern user sessions ada --end-all'],
  },
  {
    name: 'user changes',
    summary: 'change several users at once; each has an outcome',
    args: [{ name: '<file>', summary: 'file with a user name on each line, or - for standard input' }],
    options: [
      { flags: '--enabled', summary: 'enable the user' },
      { flags: '--disabled', summary: 'disable the user' },
      ROLE,
      { flags: '--add-group <name>', summary: 'add the users to this group; repeatable', reader: 'list' },
      {
        flags: '--remove-group <name>',
        summary: 'remove the users from this group; repeatable',
        reader: 'list',
      },
      { flags: '--end-sessions', summary: 'end the sessions of the users in the console' },
      { flags: '--revoke-tokens', summary: 'revoke the tokens of the users' },
      { flags: '--delete', summary: 'delete the users with their tokens and their @Personal folders' },
      YES,
      JSON_OPTION,
    ],
    examples: [
      'quern user changes people.txt --add-group analysts',
      'quern user changes people.txt --role VIEWER',
    ],
  },
  {
    name: 'user invite',
    summary: 'invite a user with a link, and print it once',
    args: [USER_NAME],
    options: [
      EMAIL,
      ROLE,
      { flags: '--group <name>', summary: 'group of the new user; repeatable', reader: 'list' },
      { flags: '--existing', summary: 'invite a user who exists to set a password' },
      JSON_OPTION,
    ],
    examples: [
      'quern user invite ivy --email ivy@example.org --role EDITOR',
      'quern user invite ada --existing',
    ],
  },
  {
    name: 'user invitations',
    summary: 'list the invitations that were not used',
    args: [],
    options: [QUERY, UTC, JSON_OPTION],
    examples: ['quern user invitations'],
  },
  {
    name: 'user revoke-invitation',
    summary: 'revoke the invitation of a user',
    args: [USER_NAME],
    options: [JSON_OPTION],
    examples: ['quern user revoke-invitation ivy'],
  },
  {
    name: 'group ls',
    summary: 'list the groups with their members',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern group ls'],
  },
  {
    name: 'group create',
    summary: 'create a group',
    args: [GROUP_NAME],
    options: [{ flags: '--display-name <text>', summary: 'display name' }, JSON_OPTION],
    examples: ['quern group create analysts'],
  },
  {
    name: 'group set',
    summary: 'rename a group, or change its display name',
    args: [GROUP_NAME],
    options: [
      { flags: '--name <name>', summary: 'new name' },
      { flags: '--display-name <text>', summary: 'display name' },
      JSON_OPTION,
    ],
    examples: ['quern group set analysts --display-name "The analysts"'],
  },
  {
    name: 'group members',
    summary: 'list the members of a group, and the sources of each membership',
    args: [GROUP_NAME],
    options: [QUERY, JSON_OPTION],
    examples: ['quern group members analysts', 'quern group members analysts --query example.org'],
  },
  {
    name: 'group add-member',
    aliases: ['add'],
    summary: 'add users to a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
    examples: ['quern group add-member analysts ada bob'],
  },
  {
    name: 'group remove-member',
    aliases: ['remove'],
    summary: 'remove users from a group',
    args: [GROUP_NAME, USERS],
    options: [JSON_OPTION],
    examples: ['quern group remove-member analysts bob'],
  },
  {
    name: 'group rm',
    summary: 'delete a group; its members keep their accounts',
    args: [GROUP_NAME],
    options: [YES],
    examples: ['quern group rm analysts --yes'],
  },
  {
    name: 'token create',
    summary: 'create a personal access token and print it once',
    args: [],
    options: [
      { flags: '--name <name>', summary: 'name of the token' },
      OWNER,
      { flags: '--expires <when>', summary: '90d, 2027-01-31 or never (default: 90d)' },
      { flags: '--scope <scope>', summary: `${SCOPES.join(', ')} (default: all)` },
      { flags: '--read-only', summary: 'the same as --scope read' },
      DESCRIPTION,
      JSON_OPTION,
    ],
    examples: [
      'quern token create --name ci',
      'quern token create --name reader --user ada --expires 30d --scope query',
    ],
  },
  {
    name: 'token ls',
    summary: "list the tokens of a user, or of all users with --user '*'",
    args: [],
    options: [
      OWNER,
      QUERY,
      {
        flags: '--unused-since <when>',
        summary: 'only tokens without a request since 2027-01-31, 90d or 12h',
      },
      UTC,
      JSON_OPTION,
    ],
    examples: ['quern token ls', 'quern token ls --user ada', "quern token ls --user '*' --unused-since 90d"],
  },
  {
    name: 'token rm',
    summary: 'revoke a token',
    args: [{ name: '<name>', summary: 'name or ID of the token' }],
    options: [OWNER, YES],
    examples: ['quern token rm ci --yes'],
  },
] as const satisfies readonly Command[];
