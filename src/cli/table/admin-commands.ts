import type { Command, CommandOption, Options } from '../context/command.ts';

/** How much of a log is wanted, and in which form. */
const LOG_OPTIONS = [
  {
    flags: '--since <time>',
    summary: 'from then on: 2027-01-31, 2027-01-31T08:00Z, or 7d, 12h, 30m ago',
  },
  { flags: '--until <time>', summary: 'until just before then' },
  {
    flags: '--limit <number>',
    summary: 'at most so many, up to 1000 (default: 100)',
    reader: 'positive',
  },
  { flags: '--json', summary: 'print the records as JSON' },
] as const satisfies readonly CommandOption[];

export type LogOptions = Options<typeof LOG_OPTIONS>;

const WAIT_OPTION = {
  flags: '--wait <seconds>',
  summary: 'how long what runs on a server of the home may take to end (default: 60)',
  reader: 'count',
} as const satisfies CommandOption;

/** The commands that look after a home, in the order in which help shows them. */
export const ADMIN_COMMANDS = [
  {
    name: 'admin backup',
    summary: 'write everything of the home into one file, while others use it',
    args: [{ name: '<target>', summary: 'the file, compressed when it ends in .gz or .tgz, or a folder' }],
    options: [
      { flags: '--with-key', summary: 'put the key of the secrets into it, too' },
      { flags: '--force', summary: 'replace a file that is there' },
      WAIT_OPTION,
      { flags: '--json', summary: 'print what it holds as JSON' },
    ],
  },
  {
    name: 'admin restore',
    summary: 'make a home of a backup',
    args: [{ name: '<file>', summary: 'the backup' }],
    options: [
      { flags: '--force', summary: 'move what is there aside; nothing is deleted' },
      { flags: '--end-tokens', summary: 'end all personal access tokens that are in the backup' },
      { flags: '--json', summary: 'print what was restored as JSON' },
    ],
  },
  {
    name: 'admin compact',
    summary: 'give the free space in the files of the databases back to the disk',
    args: [],
    options: [WAIT_OPTION, { flags: '--json', summary: 'print the sizes as JSON' }],
  },
  {
    name: 'admin check',
    summary: 'look through the home for what is damaged, missing or open to others',
    args: [],
    options: [{ flags: '--json', summary: 'print the findings as JSON' }],
  },
  {
    name: 'admin reset-password',
    summary: 'give a user another password, and end the sessions that the old one began',
    args: [{ name: '[user]', summary: 'user name (default: who acts, the first administrator)' }],
    options: [{ flags: '--password-stdin', summary: 'read the password from standard input' }],
  },
  {
    name: 'admin audit',
    summary: 'print what was done by whom, newest first',
    args: [],
    options: [
      { flags: '--actor <user>', summary: 'only what this user did' },
      { flags: '--action <action>', summary: 'only this, such as sign-in or token.create' },
      { flags: '--object <text>', summary: 'only what it was done to with this text in it' },
      ...LOG_OPTIONS,
    ],
  },
  {
    name: 'admin queries',
    summary: 'print what the server of the home has run, and for whom, newest first',
    args: [],
    options: [
      { flags: '--user <name>', summary: 'only what this user had run' },
      { flags: '--connection <name>', summary: 'only what ran on this connection' },
      {
        flags: '--outcome <outcome>',
        summary: 'only what ended so: done, failed, cancelled, timeout, lost or left',
      },
      ...LOG_OPTIONS,
    ],
  },
] as const satisfies readonly Command[];
