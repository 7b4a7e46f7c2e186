import type { CliContext } from './context.ts';
import { coloursOf } from './terminal/colours.ts';

/** Says on standard error what may surprise in an answer, behind what stands on standard output. */
export async function printWarnings(context: CliContext, warnings: readonly string[]): Promise<void> {
  await context.stdout.flush();
  const { yellow } = coloursOf(context);
  for (const warning of warnings) await context.stderr.write(`${yellow('warning')}: ${warning}\n`);
}
