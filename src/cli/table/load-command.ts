import type { Command } from '../context/command.ts';
import { CONNECTION, JSON_OPTION, REPLACE } from './shared-options.ts';

/** `quern load`. */
export const LOAD_COMMAND = {
  name: 'load',
  summary: 'load csv, parquet, json or xlsx files into a table',
  args: [
    {
      name: '<files...>',
      summary: 'files, folders, patterns, pipes, or - for standard input; all go into one table',
    },
  ],
  options: [
    { flags: '--table <name>', summary: "name of the table, or schema.name (default: the file's name)" },
    { flags: '--schema <name>', summary: 'schema of the tables; it is created if it does not exist' },
    REPLACE,
    { flags: '--append', summary: 'add the rows to an existing table; columns are matched by name' },
    { flags: '--each', summary: 'load every file into its own table, named after the file; all or none' },
    { flags: '--dry-run', summary: 'print types, warnings and the first rows, and load nothing' },
    {
      flags: '--type <type>',
      summary: 'csv, parquet, json or xlsx (default: from the file name, or the first bytes of a pipe)',
    },
    { flags: '--sheet <name>', summary: 'sheet of a workbook (default: the first)' },
    { flags: '--delimiter <text>', summary: 'column separator of csv, such as ; or tab' },
    { flags: '--quote <character>', summary: "quote character of csv; '' for none" },
    { flags: '--header', summary: 'the first line of csv has the column names' },
    { flags: '--no-header', summary: 'the first line of csv is a row' },
    { flags: '--skip <lines>', summary: 'lines of csv before the header', reader: 'count' },
    { flags: '--skip-footer <lines>', summary: 'lines of csv after the last row', reader: 'count' },
    { flags: '--fill-short', summary: 'read missing values at the end of a line of csv as NULL' },
    {
      flags: '--encoding <name>',
      summary: 'encoding of csv or json, such as windows-1252 (default: utf-8)',
    },
    {
      flags: '--null <text>',
      summary: 'string in csv that means NULL, besides the empty string; repeatable',
      reader: 'list',
    },
    {
      flags: '--decimal <character>',
      summary: 'character before the fraction of numbers in csv (default: .)',
    },
    { flags: '--thousands <character>', summary: 'character between groups of three digits in csv' },
    { flags: '--date-format <format>', summary: 'format of dates in csv or json, such as %d.%m.%Y' },
    {
      flags: '--timestamp-format <format>',
      summary: "format of dates with a time, such as '%d.%m.%Y %H:%M'",
    },
    {
      flags: '--types <column=type>',
      summary: 'column types of csv or json, such as id=VARCHAR,price=DECIMAL(9,2); repeatable',
      reader: 'list',
    },
    { flags: '--all-text', summary: 'read every column of csv or json as VARCHAR' },
    { flags: '--union-by-name', summary: 'use the columns of all files; NULL where a file lacks a column' },
    CONNECTION,
    JSON_OPTION,
  ],
  examples: [
    'quern load orders.csv',
    "quern load 'sales/*.parquet' --table sales --replace",
    "quern load prices.csv --delimiter ';' --types 'price=DECIMAL(9,2)'",
    'quern load export.csv --decimal , --thousands . --date-format %d.%m.%Y --dry-run',
    'quern load more.csv --table orders --append',
    'quern load data/ --each --schema raw',
    'quern load budget.xlsx --sheet Orders --skip 1',
  ],
} as const satisfies Command;
