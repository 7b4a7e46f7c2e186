import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { CliContext } from '../context/context.ts';
import { createControlFilter } from '../context/output.ts';

/** Shows colours and long lines, and leaves the text on the screen. */
const DEFAULT_PAGER = 'less -RSX';
/** In bytes; longer output is not paged. */
const MAX_BYTES = 16 * 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colours of a terminal
const COLOUR = /\x1b\[[\d;]*m/g;

/** Exit codes of a shell that cannot start a command. */
const NOT_STARTED = [126, 127];

/** Buffers output, and shows it in a pager if it is larger than the screen. */
export interface Pager {
  write(part: Uint8Array): Promise<void>;
  /** Prints or pages the output. */
  end(): Promise<void>;
}

/** The command of the pager: `PAGER`, or `less` if it is installed; null without a pager. */
export function findPager({
  env,
  stdin,
  stdout,
}: Pick<CliContext, 'env' | 'stdin' | 'stdout'>): string | null {
  if (!stdout.isTerminal || !stdin.isTTY || env.TERM === 'dumb') return null;
  const { PAGER } = env;
  if (PAGER !== undefined) return PAGER === '' || PAGER === 'cat' ? null : PAGER;
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => isExecutable(path.join(folder, 'less'))) ? DEFAULT_PAGER : null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Pages output through a command of the shell. */
export function openPager(command: string, { stdout }: Pick<CliContext, 'stdout'>): Pager {
  const guard = createControlFilter();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let isDirect = false;
  const print = async () => {
    isDirect = true;
    for (const part of parts.splice(0)) await stdout.write(part);
  };
  return {
    async write(part) {
      if (isDirect) return stdout.write(part);
      parts.push(guard(part));
      bytes += part.length;
      if (bytes > MAX_BYTES) await print();
    },
    async end() {
      if (isDirect) return;
      const text = Buffer.concat(parts);
      if (fits(text.toString(), stdout)) return print();
      await stdout.flush();
      // The call is synchronous, so that nothing else writes to the terminal while the pager runs.
      const { error, status } = spawnSync('/bin/sh', ['-c', command], {
        input: text,
        stdio: ['pipe', 'inherit', 'inherit'],
      });
      if (error !== undefined || NOT_STARTED.includes(status ?? 0)) await print();
    },
  };
}

/** Whether a text fits on the screen, with one line for the prompt. */
function fits(text: string, { width, height }: CliContext['stdout']): boolean {
  const lines = text.split('\n');
  return lines.length < height && lines.every((line) => [...line.replaceAll(COLOUR, '')].length <= width);
}
