import type { Output } from './output.ts';

/** Everything outside that a command may touch. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
  /** The options of every command. */
  readonly home: string | undefined;
  readonly as: string | undefined;
  readonly stdin: NodeJS.ReadStream;
  /** For data only. */
  readonly stdout: Output;
  /** For errors, warnings and questions. */
  readonly stderr: Output;
  /** Standard error for confirmations and progress, which `--quiet` turns off. */
  readonly notices: Pick<Output, 'write' | 'isTerminal'>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Registers what must be undone when the process is about to be ended; returns how to take it back. */
  readonly onExit: (undo: () => void) => () => void;
  /** See `Interrupts.endAtSignal`. */
  readonly endAtSignal: (graceMs: number) => void;
  /** Of the product. */
  readonly version: string;
  /** Does what Ctrl-C does, for a prompt that has taken it from the terminal. */
  readonly interrupt: () => void;
}
