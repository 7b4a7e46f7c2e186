import { existsSync } from 'node:fs';
import path from 'node:path';
import { NAMESPACES } from '../../catalog/path.ts';
import { elementAt } from '../../invariants/must.ts';
import type { ScriptTarget } from '../../workspace/api/target.ts';
import { runAnswer } from '../actions/run-answer.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { checkInput, sourceName } from '../options/open-input.ts';
import { readText } from '../options/read-text.ts';
import { readRunOptions } from '../options/run-options.ts';
import { printSqlSteps } from '../print/print-steps.ts';
import { printWarnings } from '../print/print-warnings.ts';
import { reportOutcome } from '../print/report-outcome.ts';
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
  checkNamespace(context, name);
  checkPlain(context, name);
  const source = { name: sourceName(name), text: await readText(context, name) };
  return { kind: 'file', source, path: name === '-' ? null : name, cwd: context.cwd, projects: project };
}

/** Refuses the name of a missing file that begins like a path of the catalog, but without `@`. */
function checkNamespace({ cwd }: CliContext, name: string): void {
  const [first = '', ...rest] = name.split('/');
  const namespace = NAMESPACES.find((known) => known.slice(1).toLowerCase() === first.toLowerCase());
  if (namespace === undefined || rest.length === 0 || existsSync(path.resolve(cwd, name))) return;
  const advice = `a path of the catalog starts with @: did you mean \`${[namespace, ...rest].join('/')}\`?`;
  throw new UsageError(`cannot read ${name}: there is no such file`, EXIT.failed, advice);
}

/** Refuses a named pipe: the command could wait forever for its data. */
function checkPlain(context: CliContext, name: string): void {
  if (!name.endsWith('.sql') || !checkInput(context, name).isFIFO()) return;
  throw new UsageError(`cannot read ${name}: it is a named pipe; \`quern exec - < ${name}\` reads it`);
}

/** Prints the SQL that a run of a script would send, and its connection. */
async function dryRun(
  context: CliContext,
  target: ScriptTarget,
  options: OptionsOf<'exec'>,
): Promise<ExitCode> {
  const request = { target, ...(await readRunOptions(context, options)) };
  const plan = await withWorkspace(context, (workspace) => workspace.plan(request));
  if (plan.status === 'failed') return reportOutcome(context, plan);
  const { connection, overrides, steps, warnings } = plan;
  await printWarnings(context, warnings);
  await context.stdout.write(printSqlSteps(steps));
  await context.stdout.flush();
  const changes = Object.entries(overrides).map(([key, value]) => `${key}=${value}`);
  const connectionText = [connection, ...changes].join(', ');
  await context.notices.write(`nothing was run; this would run on ${connectionText}\n`);
  return EXIT.done;
}
