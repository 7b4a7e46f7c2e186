import { elementAt } from '../../invariants/must.ts';
import type { ScriptTarget } from '../../workspace/api/target.ts';
import { dryRun } from '../actions/dry-run.ts';
import { runAnswer } from '../actions/run-answer.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { checkInput, sourceName } from '../options/open-input.ts';
import { readText } from '../options/read-text.ts';
import type { OptionsOf, RunCommand } from '../table/commands.ts';

/** `quern exec`: runs a script of the catalog, a file or standard input. */
export const run: RunCommand<'exec'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  const target: ScriptTarget = name.startsWith('@')
    ? { kind: 'script', path: name }
    : await readFile(context, name, options);
  return options.dryRun ? dryRun(context, target, options) : runAnswer(context, target, options);
};

async function readFile(
  context: CliContext,
  name: string,
  { project }: OptionsOf<'exec'>,
): Promise<ScriptTarget> {
  checkPlain(context, name);
  const source = { name: sourceName(name), text: await readText(context, name) };
  return { kind: 'file', source, path: name === '-' ? null : name, cwd: context.cwd, projects: project };
}

/** Refuses a named pipe: the command could wait forever for its data. */
function checkPlain(context: CliContext, name: string): void {
  if (!name.endsWith('.sql') || !checkInput(context, name).isFIFO()) return;
  throw new UsageError(`cannot read ${name}: it is a named pipe; \`quern exec - < ${name}\` reads it`);
}
