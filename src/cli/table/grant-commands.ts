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
    name: 'grant levels',
    summary: 'show the levels of subjects on what a folder contains',
    args: [
      {
        name: '[folder]',
        summary: 'catalog path, or connections (default: @Shared and @Project Hub)',
      },
    ],
    options: [
      {
        flags: '--subject <subject>',
        summary: 'user:NAME, group:NAME or everyone; repeatable',
        reader: 'list',
      },
      JSON_OPTION,
    ],
    examples: [
      'quern grant levels @Shared --subject user:ada --subject everyone',
      'quern grant levels connections --subject group:analysts',
    ],
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
    name: 'grant apply',
    summary: 'apply several grants and restrictions, all or none',
    args: [{ name: '<file>', summary: 'JSON file with changes, or - for standard input' }],
    options: [
      { flags: '--dry-run', summary: 'print who would gain and lose what, and apply nothing' },
      {
        flags: '--etag <etag>',
        summary: 'apply only if the grants are those of the dry run with this etag',
      },
      JSON_OPTION,
    ],
    examples: ['quern grant apply changes.json --dry-run', 'quern grant apply changes.json'],
  },
  {
    name: 'grant explain',
    summary: 'show what a user may do with a target, and why',
    args: [{ name: '<user>', summary: 'user name' }, TARGET],
    options: [JSON_OPTION],
    examples: ['quern grant explain ada @Shared/shop'],
  },
] as const satisfies readonly Command[];
