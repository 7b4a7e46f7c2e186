import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/semantic/tools');

/** The file of the counts, and of the statements that are refused. */
export const EXPECTED = path.join(folder, 'expected.txt');

export interface ToolStatement {
  readonly title: string;
  readonly text: string;
  /** Whether rows are compared in their order: ORDER BY ends the statement, and leaves no ties. */
  readonly isOrdered: boolean;
}

export interface Tool {
  readonly name: string;
  readonly statements: readonly ToolStatement[];
}

const ANY_ORDER = ' (ties)';

/** Removes quoted parts and parentheses with their content. */
function removeParentheses(text: string): string {
  let [before, after] = ['', text.replaceAll(/'[^']*'|"[^"]*"/g, '')];
  while (after !== before) [before, after] = [after, after.replaceAll(/\([^()]*\)/g, '')];
  return after;
}

function readStatement(block: string): ToolStatement {
  const [, line = '', text = ''] = /^-- ([^\n]+)\n(.+);\s*$/s.exec(block) ?? [];
  if (text === '') throw new Error(`a title and a statement are required: ${block}`);
  const hasTies = line.endsWith(ANY_ORDER);
  return {
    title: hasTies ? line.slice(0, -ANY_ORDER.length) : line,
    text,
    isOrdered: !hasTies && /\border by\b/i.test(removeParentheses(text)),
  };
}

/** Reads the statements of each tool; a comment at the start of a file says where their shapes come from. */
export function readTools(): readonly Tool[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const [, ...blocks] = readFileSync(path.join(folder, file), 'utf8').split(/\n\n(?=-- )/);
    return { name: file.slice(0, -'.sql'.length), statements: blocks.map(readStatement) };
  });
}

export interface Outcome {
  /** `warned`: other rows than PostgreSQL, with a warning that says why. */
  readonly kind: 'right' | 'refused' | 'warned' | 'wrong';
  readonly message: string;
}

/** The counts of each tool, and the statements that are refused or have a warning, with their messages. */
export function listOutcomes(tools: readonly Tool[], outcomes: ReadonlyMap<ToolStatement, Outcome>) {
  const counts = tools.map(({ name, statements }) => {
    const count = (wanted: Outcome['kind']) =>
      statements.filter((statement) => outcomes.get(statement)?.kind === wanted).length;
    const [right, refused, warned, wrong] = [
      count('right'),
      count('refused'),
      count('warned'),
      count('wrong'),
    ];
    const run = statements.length - refused;
    return `${name}: ${run} of ${statements.length} run; ${right} right, ${refused} refused, ${warned} with a warning, ${wrong} wrong`;
  });
  const differences = tools.flatMap(({ name, statements }) =>
    statements.flatMap((statement) => {
      const { kind, message } = outcomes.get(statement)!;
      return kind === 'right' ? [] : [`\n${name}: ${statement.title}: ${kind}\n  ${message}`];
    }),
  );
  return { counts, differences };
}
