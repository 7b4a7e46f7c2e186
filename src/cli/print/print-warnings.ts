import type { Warning } from '../../engine/text/diagnostic.ts';
import { toPrintableLines } from '../../text/printable.ts';
import type { CliContext } from '../context/context.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printDiagnostics } from './print-diagnostics.ts';

/** Prints warnings to standard error, with their positions if known, after the data on standard output. */
export async function printWarnings(
  context: CliContext,
  warnings: readonly (string | Warning)[] = [],
): Promise<void> {
  if (warnings.length === 0 || context.signal.aborted || context.stdout.isBroken) return;
  await context.stdout.flush();
  const { yellow } = coloursOf(context);
  for (const warning of warnings) {
    if (typeof warning === 'object' && 'file' in warning) {
      await printDiagnostics(context, context.stderr, [warning]);
    } else {
      const message = typeof warning === 'string' ? warning : warning.message;
      await context.stderr.write(`${yellow('warning')}: ${toPrintableLines(message)}\n`);
    }
  }
}
