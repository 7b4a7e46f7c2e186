import type { Diagnostic } from '../../engine/text/diagnostic.ts';
import { toPrintableLines } from '../../text/printable.ts';
import type { CliContext } from '../context/context.ts';
import type { Output } from '../context/output.ts';
import { coloursOf } from '../terminal/colours.ts';

/** Prints diagnostics with their code frames, in colours on a terminal. */
export async function printDiagnostics(
  { env }: Pick<CliContext, 'env'>,
  output: Output,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  const { red, yellow, bold } = coloursOf({ env, stderr: output });
  for (const { file, line, column, severity, message, frame } of diagnostics) {
    const position = bold(toPrintableLines(`${file}:${line}:${column}`));
    const shown = severity === 'error' ? red(severity) : yellow(severity);
    await output.write(`${position}: ${shown}: ${toPrintableLines(message)}\n${frame}\n`);
  }
  await output.flush();
}
