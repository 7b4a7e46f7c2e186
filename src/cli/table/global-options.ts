import { SETTINGS } from '../../settings/table.ts';
import type { CommandOption } from '../context/command.ts';

/** The folder of the home, which every command takes. */
export const HOME = {
  flags: SETTINGS.home.flag ?? '',
  summary: `${SETTINGS.home.text} (default: ${SETTINGS.home.variable}, ${SETTINGS.home.shownDefault})`,
} satisfies CommandOption;

/** Prints help on every command. */
export const HELP_OPTION = { flags: '-h, --help', summary: 'show help' } satisfies CommandOption;

/** The options of every command, besides the folder of the home and the standard ones. */
export const GLOBAL_OPTIONS = [
  { flags: '--as <user>', summary: 'act as this user of the home' },
  { flags: '-q, --quiet', summary: 'print errors and warnings, but no confirmations or progress' },
] as const satisfies readonly CommandOption[];
