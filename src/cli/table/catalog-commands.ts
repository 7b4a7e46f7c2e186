import type { Command, CommandOption } from '../context/command.ts';
import { DESCRIPTION, IF_MATCH, JSON_OPTION, LIST_LIMIT, UTC, YES } from './shared-options.ts';

const REVISION = {
  flags: '--revision <number>',
  summary: 'revision of the content; `quern catalog log` lists them',
  reader: 'positive',
} as const satisfies CommandOption;

/** The commands about the catalog, in the order of the help. */
export const CATALOG_COMMANDS = [
  {
    name: 'catalog ls',
    summary: 'list a folder of the catalog',
    args: [{ name: '[path]', summary: 'folder, such as @Shared (default: the namespaces)' }],
    options: [
      { flags: '-l, --long', summary: 'also show type and time of the last change' },
      UTC,
      JSON_OPTION,
    ],
    examples: ['quern catalog ls', 'quern catalog ls @Shared --long'],
  },
  {
    name: 'catalog get',
    summary: 'print the content of an asset',
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [JSON_OPTION],
    examples: ['quern catalog get @Shared/report > report.sql'],
  },
  {
    name: 'catalog put',
    summary: 'create or replace an asset from a file',
    args: [
      { name: '<file>', summary: 'file to store, or - for standard input' },
      { name: '<path>', summary: "path of the asset, or an existing folder, which keeps the file's name" },
    ],
    options: [IF_MATCH, DESCRIPTION, JSON_OPTION],
    examples: [
      'quern catalog put report.sql @Shared/report',
      'quern catalog put report.sql @Shared/report --if-match 1',
    ],
  },
  {
    name: 'catalog mkdir',
    summary: 'create a folder',
    args: [{ name: '<path>', summary: 'path of the new folder' }],
    options: [
      { flags: '-p, --parents', summary: 'create missing parent folders; succeed if the folder exists' },
      { flags: '--project', summary: 'create a project folder' },
      JSON_OPTION,
    ],
    examples: ['quern catalog mkdir @Shared/finance/2027 --parents'],
  },
  {
    name: 'catalog mv',
    summary: 'rename or move a folder or an asset',
    args: [
      { name: '<path>', summary: 'item to move' },
      { name: '<newpath>', summary: 'new path, or an existing folder' },
    ],
    options: [IF_MATCH, JSON_OPTION],
    examples: ['quern catalog mv @Shared/report @Shared/finance'],
  },
  {
    name: 'catalog rm',
    summary: 'delete an asset or an empty folder',
    args: [{ name: '<path>', summary: 'item to delete; with --forever also the id of an item of the bin' }],
    options: [
      IF_MATCH,
      { flags: '-r, --recursive', summary: 'delete a folder with its contents' },
      { flags: '--forever', summary: 'delete permanently: do not keep the item in the bin' },
      YES,
    ],
    examples: [
      'quern catalog rm @Shared/finance/report --yes',
      'quern catalog rm @Shared/finance --recursive --yes',
    ],
  },
  {
    name: 'catalog deleted',
    summary: 'list the deleted items in the bin',
    args: [{ name: '[text]', summary: 'part of the path, ignoring case (default: all items)' }],
    options: [LIST_LIMIT, UTC, JSON_OPTION],
    examples: ['quern catalog deleted', 'quern catalog deleted report --json'],
  },
  {
    name: 'catalog undelete',
    summary: 'restore a deleted item from the bin',
    args: [
      { name: '<id>', summary: 'id or former path of the item; `quern catalog deleted` lists them' },
      { name: '[newpath]', summary: 'new path, or an existing folder (default: the former place)' },
    ],
    options: [JSON_OPTION],
    examples: ['quern catalog undelete @Shared/report'],
  },
  {
    name: 'catalog log',
    summary: 'list the revisions that changed the content of an asset',
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [LIST_LIMIT, UTC, JSON_OPTION],
    examples: ['quern catalog log @Shared/report'],
  },
  {
    name: 'catalog show',
    summary: 'print the content of an asset at a revision',
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [REVISION, JSON_OPTION],
    examples: ['quern catalog show @Shared/report --revision 19 > former.sql'],
  },
  {
    name: 'catalog restore',
    summary: 'store the content of a revision as the current content',
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [REVISION, IF_MATCH, JSON_OPTION],
    examples: ['quern catalog restore @Shared/report --revision 19'],
  },
  {
    name: 'catalog purge',
    summary: 'remove a former content from the home permanently',
    args: [{ name: '<path>', summary: 'path of the asset' }],
    options: [REVISION, YES],
    examples: ['quern catalog purge @Shared/report --revision 19 --yes'],
  },
] as const satisfies readonly Command[];
