// Everything that a command gets from its process: arguments aside, a command reads no global state. So tests run commands
// in their own process, several at once, and a signal reaches each of them through its context.

import type { Output } from './output.ts';

/** The environment of a command. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
  /** The options of every command. */
  readonly home: string | undefined;
  readonly as: string | undefined;
  readonly stdin: NodeJS.ReadStream & { readonly fd: number };
  /** Standard output, for data only. */
  readonly stdout: Output;
  /** Standard error, for errors, warnings and questions. */
  readonly stderr: Output;
  /** Standard error for confirmations and progress, which `--quiet` turns off. */
  readonly notices: Pick<Output, 'write' | 'isTerminal'>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Registers a cleanup for the end of the process; returns a function that unregisters it. */
  readonly onExit: (undo: () => void) => () => void;
  /** See `Interrupts.endAtSignal`. */
  readonly endAtSignal: (graceMs: number) => void;
  /** See `Interrupts.endStuck`. */
  readonly endStuck: (code: number) => void;
  /** The version of Quern. */
  readonly version: string;
  /** Acts like Ctrl-C, for a prompt that read it from the terminal. */
  readonly interrupt: () => void;
}
