import type { CommandOption } from '../context/command.ts';

/** How the answer of a run is written. */
export const ANSWER_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--format <format>',
    summary: 'table, json, ndjson, csv, markdown, arrow, parquet (default: table on a terminal, else csv)',
  },
  {
    flags: '--numbers <form>',
    summary: 'number, or string for long numbers in json and ndjson of which a reader may lose digits',
  },
  { flags: '--output <file>', summary: 'write the result to a file, which appears only when all went well' },
];

/** When a run is given up. */
export const TIMEOUT: CommandOption = {
  flags: '--timeout <seconds>',
  summary: 'stop after this long',
  reader: 'positive',
};
