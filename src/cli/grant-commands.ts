import type { Command, CommandOption } from './context/command.ts';

const JSON_OPTION: CommandOption = { flags: '--json', summary: 'print the record as JSON' };
const SUBJECT = { name: '<subject>', summary: 'user:NAME, group:NAME or everyone' } as const;
const TARGET = { name: '<target>', summary: 'catalog path, or connection:NAME' } as const;

/** The commands about grants, in the order in which help shows them. */
export const GRANT_COMMANDS: readonly Command[] = [
  {
    name: 'grant ls',
    summary: 'list what is granted, and what is restricted',
    args: [{ name: '[target]', summary: 'catalog path, or connection:NAME (default: all of them)' }],
    options: [JSON_OPTION],
    load: () => import('./commands/grant-ls.ts'),
  },
  {
    name: 'grant add',
    summary: 'grant a level, in place of the one that there is',
    args: [SUBJECT, { name: '<level>', summary: 'view, edit or manage; use or manage a connection' }, TARGET],
    options: [JSON_OPTION],
    load: () => import('./commands/grant-add.ts'),
  },
  {
    name: 'grant rm',
    summary: 'take a grant back',
    args: [SUBJECT, TARGET],
    options: [],
    load: () => import('./commands/grant-rm.ts'),
  },
  {
    name: 'grant restrict',
    summary: 'let grants from above a folder or script no longer count in it',
    args: [{ name: '<path>', summary: 'catalog path' }],
    options: [{ flags: '--off', summary: 'let them count again' }, JSON_OPTION],
    load: () => import('./commands/grant-restrict.ts'),
  },
  {
    name: 'grant explain',
    summary: 'tell what a user may do with something, and why',
    args: [{ name: '<user>', summary: 'user name' }, TARGET],
    options: [JSON_OPTION],
    load: () => import('./commands/grant-explain.ts'),
  },
];
