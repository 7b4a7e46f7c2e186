import type { Command, CommandOption, OptionValues } from '../context/command.ts';
import { JSON_OPTION, LIST_LIMIT, UTC } from './shared-options.ts';

/** Which part of a log is printed, and in which form. */
const LOG_OPTIONS = [
  {
    flags: '--since <time>',
    summary: 'entries from this time on: 2027-01-31, 2027-01-31T08:00Z, 7d, 12h or 30m',
  },
  { flags: '--until <time>', summary: 'entries before this time' },
  LIST_LIMIT,
  UTC,
  JSON_OPTION,
] as const satisfies readonly CommandOption[];

export type LogOptions = OptionValues<typeof LOG_OPTIONS>;

const WAIT_OPTION = {
  flags: '--wait <seconds>',
  summary: 'wait this long for executions on a running server to end (default: 60)',
  reader: 'count',
} as const satisfies CommandOption;

/** The commands for administration of a home, in the order of the help. */
export const ADMIN_COMMANDS = [
  {
    name: 'admin backup',
    summary: 'write a backup of the home, also while a server runs',
    args: [{ name: '<target>', summary: 'file (compressed if it ends in .gz or .tgz) or folder' }],
    options: [
      { flags: '--with-key', summary: 'include the key that encrypts secrets' },
      { flags: '--force', summary: 'replace an existing file' },
      WAIT_OPTION,
      JSON_OPTION,
    ],
    examples: ['quern admin backup home.tgz', 'quern admin backup backups --with-key'],
  },
  {
    name: 'admin backup ls',
    summary: 'list the backups in the folder backups of the home, newest first',
    args: [],
    options: [UTC, JSON_OPTION],
    examples: ['quern admin backup ls'],
  },
  {
    name: 'admin backup rm',
    summary: 'delete a backup in the folder backups of the home, or stop one that a server writes',
    args: [{ name: '<name>', summary: 'name of the backup' }],
    options: [],
    examples: ['quern admin backup rm quern-backup-2026-03-01T12-00-00-000Z.tar'],
  },
  {
    name: 'admin restore',
    summary: 'restore a home from a backup',
    args: [{ name: '<file>', summary: 'the backup' }],
    options: [
      { flags: '--force', summary: 'move an existing home aside; nothing is deleted' },
      { flags: '--end-tokens', summary: 'revoke all personal access tokens of the backup' },
      JSON_OPTION,
    ],
    examples: ['quern admin restore home.tgz --home restored'],
  },
  {
    name: 'admin compact',
    summary: 'return free space in database files to the disk',
    args: [],
    options: [WAIT_OPTION, JSON_OPTION],
    examples: ['quern admin compact'],
  },
  {
    name: 'admin check',
    summary: 'check the home for damaged, missing and unprotected files',
    args: [],
    options: [JSON_OPTION],
    examples: ['quern admin check'],
  },
  {
    name: 'admin server',
    summary: 'show the health, sizes and limits of the home and its server',
    args: [],
    options: [UTC, JSON_OPTION],
    examples: ['quern admin server', 'quern admin server --json'],
  },
  {
    name: 'admin reset-password',
    summary: 'set a new password of a user and end their sessions',
    args: [{ name: '[user]', summary: 'user name (default: the acting user, the first administrator)' }],
    options: [{ flags: '--password-stdin', summary: 'read the password from standard input' }],
    examples: ['quern admin reset-password ada --password-stdin < password.txt'],
  },
  {
    name: 'admin audit',
    summary: 'print the audit log, newest first',
    args: [],
    options: [
      { flags: '--actor <user>', summary: 'only actions of this user' },
      { flags: '--action <action>', summary: 'only this action, such as sign-in or token.create' },
      { flags: '--object <text>', summary: 'only entries whose object contains this text' },
      {
        flags: '--query <text>',
        summary: 'only those with this part of the actor, action, object or address',
      },
      { flags: '--export <format>', summary: 'print all entries that meet the conditions: csv or ndjson' },
      ...LOG_OPTIONS,
    ],
    examples: [
      'quern admin audit --since 7d',
      'quern admin audit --action token.create --json',
      'quern admin audit --since 90d --export csv',
    ],
  },
  {
    name: 'admin queries',
    summary: 'print the query log, newest first',
    args: [],
    options: [
      { flags: '--user <name>', summary: 'only queries of this user' },
      { flags: '-c, --connection <name>', summary: 'only queries on this connection' },
      {
        flags: '--outcome <outcome>',
        summary: 'only this outcome: done, failed, cancelled, timeout, lost or left',
      },
      ...LOG_OPTIONS,
    ],
    examples: ['quern admin queries --since 1h --outcome failed'],
  },
  {
    name: 'admin scim-log',
    summary: 'print the last requests of provisioning, newest first',
    args: [],
    options: [
      { flags: '--outcome <outcome>', summary: 'only requests with this outcome: done, failed or refused' },
      {
        flags: '--query <text>',
        summary: 'only those with this part of the token, method, path, error, address or body',
      },
      LIST_LIMIT,
      UTC,
      JSON_OPTION,
    ],
    examples: [
      'quern admin scim-log',
      'quern admin scim-log --outcome failed --query ada@example.org --json',
    ],
  },
  {
    name: 'admin sso-failures',
    summary: 'print the single sign-ons that failed within 30 days, newest first',
    args: [],
    options: [
      { flags: '--reference <text>', summary: 'only the one with this reference, which the user saw' },
      LIST_LIMIT,
      UTC,
      JSON_OPTION,
    ],
    examples: [
      'quern admin sso-failures',
      'quern admin sso-failures --reference 0b8ab9ad-6ad1-4fc5-9b92-0a6dd2ae1f2c',
    ],
  },
] as const satisfies readonly Command[];
