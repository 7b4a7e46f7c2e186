import type { CompiledStep } from '../../workspace/scripts.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readParams } from '../run-options.ts';
import { UsageError } from '../usage-error.ts';
import { withScripts } from '../with-scripts.ts';

/** The most columns that the origins of lines take. */
const WIDEST_ORIGIN = 48;

/** `quern compile`: the SQL that a script becomes, step by step, with the origin of every line. */
export const run: RunCommand = async (context, { args, options }) => {
  const path = args[0]!;
  if (options.json && options.sql) throw new UsageError('choose one of --json and --sql');
  const params = await readParams(context, options);
  const steps = await withScripts(context, [path], options, (scripts) => scripts.compile(path, params));
  await context.stdout.write(print(steps, options));
  return EXIT.done;
};

function print(steps: readonly CompiledStep[], { json, sql }: { json?: unknown; sql?: unknown }): string {
  if (json) return `${JSON.stringify(steps, null, 2)}\n`;
  return steps.map(sql ? printSql : printAnnotated).join('\n');
}

/** What could be handed to a database; what is none of its business as a comment. */
function printSql(step: CompiledStep): string {
  const lines = step.lines.map(({ text }) => (step.kind === 'action' ? `-- ${text}` : text));
  const title = step.call === '' ? '' : `-- ${printTitle(step)}\n`;
  return `${title}${lines.join('\n')}${step.kind === 'action' ? '' : ';'}\n`;
}

function printAnnotated(step: CompiledStep, index: number): string {
  const origins = step.lines.map(
    ({ file, line, block }) => `${file}:${line}${block === '' ? '' : ` ${block}`}`,
  );
  const width = Math.min(WIDEST_ORIGIN, Math.max(...origins.map(({ length }) => length)));
  const lines = step.lines.map(({ text }, i) =>
    `${shorten(origins[i]!, width).padEnd(width)} | ${text}`.trimEnd(),
  );
  return `-- ${[index + 1, printTitle(step)].join(' ').trimEnd()}\n${lines.join('\n')}\n`;
}

function printTitle({ kind, call, relation }: CompiledStep): string {
  if (kind === 'action') return 'left to the run';
  return relation === null ? call : `${call}, whose rows are ${relation}`;
}

/** Long paths lose their beginning. */
function shorten(origin: string, width: number): string {
  return origin.length <= width ? origin : `…${origin.slice(origin.length - width + 1)}`;
}
