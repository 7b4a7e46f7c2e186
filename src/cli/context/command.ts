import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** One value of an option as the command line gives it: repeated options arrive as lists. */
export type OptionValue = string | number | boolean | readonly string[] | undefined;

/** The texts of an option that may be repeated; none where it is not given. */
export function listTexts(value: OptionValue): readonly string[] {
  return typeof value === 'object' ? value : [];
}

export interface CommandInput {
  readonly args: readonly string[];
  /** The values of a last `<name...>` argument. */
  readonly options: Readonly<Record<string, OptionValue>>;
}

export type RunCommand = (context: CliContext, input: CommandInput) => Promise<ExitCode>;

/** How an option's text is read: `count` is a whole number from 0, `positive` one from 1, `list` may repeat. */
export type OptionReader = 'text' | 'count' | 'positive' | 'list';

export interface CommandOption {
  readonly flags: string;
  readonly summary: string;
  readonly reader?: OptionReader;
}

/** One built-in command: what help, the documentation and the program know of it, and where its code is. */
export interface Command {
  /** Words after `quern`. */
  readonly name: string;
  readonly summary: string;
  readonly args: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CommandOption[];
  /** Calls that help shows. */
  readonly examples?: readonly string[];
  /** Whether it runs where its group is called alone. */
  readonly isDefault?: true;
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
