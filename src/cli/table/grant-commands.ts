import type { Command } from '../context/command.ts';
import { JSON_OPTION } from './shared-options.ts';

const SUBJECT = { name: '<subject>', summary: 'user:NAME, group:NAME or everyone' } as const;
const TARGET = { name: '<target>', summary: 'catalog path, or connection:NAME' } as const;

/** The commands about grants, in the order in which help shows them. */
export const GRANT_COMMANDS = [
  {
    name: 'grant ls',
    summary: 'list what is granted, and what is restricted',
    args: [{ name: '[target]', summary: 'catalog path, or connection:NAME (default: all of them)' }],
    options: [JSON_OPTION],
  },
  {
    name: 'grant add',
    summary: 'grant a level, in place of the one that there is',
    args: [SUBJECT, { name: '<level>', summary: 'view, edit or manage; use or manage a connection' }, TARGET],
    options: [JSON_OPTION],
  },
  {
    name: 'grant rm',
    summary: 'take a grant back',
    args: [SUBJECT, TARGET],
    options: [],
  },
  {
    name: 'grant restrict',
    summary: 'let grants from above a folder or script no longer count in it',
    args: [{ name: '<path>', summary: 'catalog path' }],
    options: [{ flags: '--off', summary: 'let them count again' }, JSON_OPTION],
  },
  {
    name: 'grant explain',
    summary: 'tell what a user may do with something, and why',
    args: [{ name: '<user>', summary: 'user name' }, TARGET],
    options: [JSON_OPTION],
  },
] as const satisfies readonly Command[];
