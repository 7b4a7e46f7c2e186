import { withWorkspace } from '../actions/with-workspace.ts';
import { findSlot } from '../completion/find-slot.ts';
import { listPages, listValues } from '../completion/list-values.ts';
import { SHELLS } from '../completion/shells.ts';
import { splitLine } from '../completion/split-line.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/**
 * `quern completion`: prints the code that a shell runs. That code calls it with `candidates` and the command line up to
 * the cursor, or with `word-and-candidates` for the word to complete on the first line.
 */
export const run: RunCommand<'completion'> = async (context, { args }) => {
  const [shell = '', line = ''] = args;
  const words = splitLine(line).slice(1);
  const candidates = () => printCandidates(context, words);
  if (shell === 'candidates') await context.stdout.write(await candidates());
  else if (shell === 'word-and-candidates')
    await context.stdout.write(`${words.at(-1) ?? ''}\n${await candidates()}`);
  else await context.stdout.write(findShell(shell));
  return EXIT.done;
};

function findShell(shell: string): string {
  const code = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (code !== undefined) return code;
  throw new UsageError(`unknown shell \`${shell}\`; use ${Object.keys(SHELLS).join(', ')}`);
}

/** Prints one candidate per line; none without a home or the permission to list values. */
async function printCandidates(context: CliContext, words: readonly string[]): Promise<string> {
  const word = words.at(-1) ?? '';
  const slot = findSlot(words);
  const all = slot.kind === 'words' ? slot.words : await listKnown(context, { ...slot, word });
  const matches = all.filter((candidate) => candidate.startsWith(word));
  return [...new Set(matches)].map((candidate) => `${candidate}\n`).join('');
}

async function listKnown(
  context: CliContext,
  wanted: Omit<Parameters<typeof listValues>[1], 'cwd'>,
): Promise<readonly string[]> {
  if (wanted.kind === 'page') return listPages();
  try {
    return await withWorkspace(context, (workspace) =>
      listValues(workspace, { ...wanted, cwd: context.cwd }),
    );
  } catch {
    return [];
  }
}
