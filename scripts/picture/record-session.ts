import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeTerminalEnvironment, openTerminal } from '../../test/docs/terminal.ts';
import { cutLine, parseLine, type Run } from './styled-text.ts';

/** The width of the picture in characters. */
export const COLUMNS = 92;

/** A command of the picture, with a description for readers who do not see it. */
interface Step {
  readonly command: string;
  readonly description: string;
  /** The lines of the output that `…` replaces: the first one, and the number of lines after them. */
  readonly omitted?: { readonly from: number; readonly after: number };
}

export const STEPS: readonly Step[] = [
  {
    command: 'quern demo',
    description: 'loads a sample project with 375,003 flights',
    omitted: { from: 4, after: 0 },
  },
  { command: 'cd quern-demo', description: 'enters its folder' },
  {
    command:
      'quern sql "SELECT origin, count(*) AS flights FROM flights\n  GROUP BY origin ORDER BY flights DESC LIMIT 3"',
    description: 'prints a table of three airports',
  },
  {
    command: 'quern test project --param strict=true',
    description: 'runs four data tests: three pass, and one fails and shows the wrong rows',
    omitted: { from: 7, after: 1 },
  },
  {
    command:
      'quern semantic query --dimensions airports.state --order flights.flights:desc \\\n  --measures routes.routes,flights.flights,flights.late_pct --limit 3',
    description: 'asks a semantic model for routes, flights and late flights of three states',
  },
  {
    command: 'quern sql "SELECT orign FROM flights"',
    description:
      'has a mistake: an error marks the unknown column with a line below it, and lists similar names',
  },
];

/** Runs the steps in a new folder, and returns the lines of the picture. */
export async function recordSession(): Promise<readonly (readonly Run[])[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'quern-picture-'));
  const terminal = openTerminal(home, makeTerminalEnvironment(home));
  const lines: (readonly Run[])[] = [];
  try {
    for (const step of STEPS) {
      const printed = (await terminal.run(step.command)).replaceAll(home, '…').trimEnd();
      if (lines.length > 0) lines.push([]);
      lines.push(...showCommand(step.command), ...showOutput(printed, step.omitted));
    }
  } finally {
    await terminal.end();
    rmSync(home, { recursive: true, force: true });
  }
  return lines;
}

function showCommand(command: string): readonly (readonly Run[])[] {
  return command.split('\n').map((text, index) => [
    { style: 'prompt', text: index === 0 ? '$ ' : '> ' },
    { style: 'bold', text },
  ]);
}

function showOutput(printed: string, omitted: Step['omitted']): readonly (readonly Run[])[] {
  if (printed === '') return [];
  const all = printed.split('\n').map((line) => cutLine(parseLine(line), COLUMNS));
  if (omitted === undefined) return all;
  const after = all.slice(all.length - omitted.after);
  return [...all.slice(0, omitted.from), [{ style: 'cut', text: '…' }], ...after];
}
