import { toPrintableLines } from '../../text/printable.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';

type Terminal = Pick<CliContext, 'signal' | 'stdin' | 'interrupt'>;

/** Whether prompts are possible. */
export function canAsk({ stdin, stderr }: Pick<CliContext, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY && stderr.isTerminal;
}

/**
 * Asks for a new password twice, without showing it; an empty password is null, and `ifEmpty` explains that.
 * `findError` returns the error of an answer. Call it on a terminal only.
 */
export function askNewPassword(
  question: string,
  ifEmpty: string,
  findError: (password: string) => Promise<string | null>,
  terminal: Terminal,
): Promise<string | null> {
  const validate = async (answer: string) => answer === '' || ((await findError(answer)) ?? true);
  return ask(terminal, async ({ password }, where) => {
    const first = await password({ message: `${question} (${ifEmpty}):`, mask: true, validate }, where);
    if (first === '') return null;
    const isSame = (answer: string) => answer === first || 'the two passwords differ';
    await password({ message: 'Again:', mask: true, validate: isSame }, where);
    return first;
  });
}

/** Asks for an existing secret, without showing it. Call it on a terminal only. */
export function askSecret(question: string, terminal: Terminal): Promise<string> {
  const validate = (answer: string) => answer !== '' || 'it must not be empty';
  return ask(terminal, ({ password }, where) =>
    password({ message: `${question}:`, mask: true, validate }, where),
  );
}

/** Asks a yes-or-no question; `defaultAnswer` is the answer for Enter. Call it on a terminal only. */
export function askWhether(question: string, terminal: Terminal, defaultAnswer = false): Promise<boolean> {
  return ask(terminal, ({ confirm }, where) =>
    confirm({ message: toPrintableLines(question), default: defaultAnswer }, where),
  );
}

type Prompts = typeof import('@inquirer/prompts');
type Where = NonNullable<Parameters<Prompts['password']>[1]>;

async function ask<T>(
  { signal, stdin, interrupt }: Terminal,
  questions: (prompts: Prompts, where: Where) => Promise<T>,
): Promise<T> {
  const prompts = await import('@inquirer/prompts');
  const ended = new AbortController();
  const end = () => ended.abort();
  // Ctrl-D ends the input without an answer: the process would end without an error.
  process.once('beforeExit', end);
  try {
    // Questions go to standard error, because they are not data.
    const where = { input: stdin, output: process.stderr };
    return await questions(prompts, { ...where, signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    if (!(error instanceof Error) || !/^(Exit|Abort)Prompt/.test(error.name)) throw error;
    interrupt();
    throw new UsageError('interrupted; nothing was done');
  } finally {
    process.off('beforeExit', end);
  }
}
