import type { CompiledStep } from '../../engine/script/compile.ts';
import { elementAt } from '../../invariants/must.ts';

/** The maximum width of the origins of lines, in columns. */
const MAX_ORIGIN_WIDTH = 48;

/** Prints steps as SQL only. */
export function printSqlSteps(steps: readonly CompiledStep[]): string {
  return steps.map(printSql).join('\n');
}

/** Prints steps with the origin of every line at its left. */
export function printAnnotatedSteps(steps: readonly CompiledStep[]): string {
  return steps.map(printAnnotated).join('\n');
}

/** Prints the SQL for the database; actions of the run become comments. */
function printSql(step: CompiledStep): string {
  const lines = step.lines.map(({ text }) => (step.kind === 'action' ? `-- ${text}` : text));
  const title = step.call === '' ? '' : `-- ${printTitle(step)}\n`;
  return `${title}${lines.join('\n')}${step.kind === 'action' ? '' : ';'}\n`;
}

function printAnnotated(step: CompiledStep, index: number): string {
  const origins = step.lines.map(
    ({ file, line, block }) => `${file}:${line}${block === '' ? '' : ` ${block}`}`,
  );
  const width = Math.min(MAX_ORIGIN_WIDTH, Math.max(...origins.map(({ length }) => length)));
  const lines = step.lines.map(({ text }, i) =>
    `${shorten(elementAt(origins, i), width).padEnd(width)} | ${text}`.trimEnd(),
  );
  return `-- ${[index + 1, printTitle(step)].join(' ').trimEnd()}\n${lines.join('\n')}\n`;
}

function printTitle({ kind, call, relation }: CompiledStep): string {
  if (kind === 'action') return 'left to the run';
  return relation === null ? call : `${call}, whose rows are ${relation}`;
}

/** Cuts long paths at their start. */
function shorten(origin: string, width: number): string {
  return origin.length <= width ? origin : `…${origin.slice(origin.length - width + 1)}`;
}
