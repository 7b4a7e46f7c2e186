import { quoteArgument } from '../../errors/quote-argument.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';

/** Says that a folder is not a home, and how it becomes one. */
export function explainMissingHome(home: string): string {
  return `no home in ${home}: run \`quern ${flagOf(SETTINGS.home)} ${quoteArgument(home)} init --empty\``;
}
