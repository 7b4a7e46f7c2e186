import type { Finding } from '../../workspace/setup/check-home.ts';
import type { CliContext } from '../context/context.ts';
import { coloursOf } from '../terminal/colours.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** Prints check results, one per line, or as JSON. */
export async function printChecks(
  { env, stdout }: CliContext,
  checks: readonly Finding[],
  asJson: boolean,
): Promise<void> {
  if (asJson) return stdout.write(`${JSON.stringify({ checks })}\n`);
  const { red, green } = coloursOf({ env, stderr: stdout });
  const lines = printAligned(checks.map(({ name, seen }) => [name, seen])).split('\n');
  const marks = checks.map(({ ok }) => (ok ? green('ok     ') : red('problem')));
  for (const [index, mark] of marks.entries()) await stdout.write(`${mark} ${lines[index]}\n`);
}
