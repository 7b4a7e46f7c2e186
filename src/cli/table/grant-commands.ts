import type { Command } from '../context/command.ts';
import { JSON_OPTION } from './shared-options.ts';

const SUBJECT = { name: '<subject>', summary: 'user:NAME, group:NAME or everyone' } as const;
const TARGET = { name: '<target>', summary: 'catalog path, or connection:NAME' } as const;

/** The commands about permissions, in the order of the help. */
export const GRANT_COMMANDS = [
  {
    name: 'grant ls',
    summary: 'list grants and restricted folders',
    args: [{ name: '[target]', summary: 'catalog path, or connection:NAME (default: all)' }],
    options: [
      { flags: '--subject <subject>', summary: 'only what affects user:NAME, group:NAME or everyone' },
      JSON_OPTION,
    ],
    examples: ['quern grant ls', 'quern grant ls @Shared', 'quern grant ls --subject everyone'],
  },
  {
    name: 'grant add',
    summary: 'grant a permission level, replacing an earlier one',
    args: [
      SUBJECT,
      { name: '<level>', summary: 'view, edit or manage; read, use or manage for a connection' },
      TARGET,
    ],
    options: [JSON_OPTION],
    examples: [
      'quern grant add user:ada edit @Shared/shop',
      'quern grant add everyone use connection:duckdb',
    ],
  },
  {
    name: 'grant rm',
    summary: 'revoke a grant',
    args: [SUBJECT, TARGET],
    options: [],
    examples: ['quern grant rm user:ada @Shared/shop'],
  },
  {
    name: 'grant restrict',
    summary: 'stop inheriting grants from parent folders',
    args: [{ name: '<path>', summary: 'catalog path' }],
    options: [{ flags: '--off', summary: 'inherit grants again' }, JSON_OPTION],
    examples: ['quern grant restrict @Shared/shop', 'quern grant restrict @Shared/shop --off'],
  },
  {
    name: 'grant explain',
    summary: 'show what a user may do with a target, and why',
    args: [{ name: '<user>', summary: 'user name' }, TARGET],
    options: [JSON_OPTION],
    examples: ['quern grant explain ada @Shared/shop'],
  },
] as const satisfies readonly Command[];
