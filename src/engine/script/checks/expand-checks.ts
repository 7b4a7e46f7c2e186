import { notNull } from '../../../invariants/must.ts';
import { type Rendered, toOriginalSpan } from '../params/params.ts';
import { Regions } from '../params/regions.ts';
import type { BlockDeclaration, ScriptFile } from '../syntax/ast.ts';
import { parseScript } from '../syntax/parse-script.ts';
import { CheckText } from './check-text.ts';
import { type ParsedCheck, parseChecks } from './parse-checks.ts';
import { printCheck } from './print-check.ts';

/** A check as a test of the language, whose every position is that of the check in its file. */
export interface CheckDeclaration {
  /** The test, with the name of the check, such as `Orders.unique(id)`. */
  readonly test: BlockDeclaration;
  /** A query for the number of rows that are checked. */
  readonly total: BlockDeclaration;
  readonly file: ScriptFile;
  /** The name by which its text calls the library `std/sql`. */
  readonly library: string;
}

const known = new WeakMap<BlockDeclaration, readonly CheckDeclaration[]>();

/** The checks of the blocks of a file, without those that have errors (docs/reference/checks.md). */
export function expandChecks(file: ScriptFile): readonly CheckDeclaration[] {
  return file.blocks.flatMap((block) => {
    const checks = known.get(block) ?? parseChecks(block).checks.map((check) => expand(file, block, check));
    known.set(block, checks);
    return checks;
  });
}

function expand(file: ScriptFile, block: BlockDeclaration, check: ParsedCheck): CheckDeclaration {
  const { rendered } = file;
  const library = findFreeName(rendered.text);
  const name = `${notNull(block.name).name}.${printCheckName(check)}`;
  const text = new CheckText(rendered);
  printCheck(text, check, { block: notNull(block.name).name, library });
  const written = text.finish();
  const parsed = parseScript(written);
  const [test, total] = parsed.file.blocks;
  if (test === undefined || total === undefined || parsed.diagnostics.length > 0) {
    throw new Error(`the check ${name} has invalid text: ${written.text}`);
  }
  const named = { ...test, name: { name, start: test.start, end: test.end } };
  return {
    test: named,
    total,
    file: { ...parsed.file, rendered: locate(written, rendered, check) },
    library,
  };
}

/** The name of a check without that of its block. */
function printCheckName({ word, columns }: ParsedCheck): string {
  return word === 'rows' ? word : `${word}(${columns.join(', ')})`;
}

/** A name that a file does not contain. */
function findFreeName(text: string): string {
  let name = 'sql_';
  while (text.includes(name)) name += '_';
  return name;
}

/** Maps each position of a text to the check in its file. */
function locate(written: Rendered, rendered: Rendered, check: ParsedCheck): Rendered {
  const regions = new Regions();
  regions.add(0, written.text.length, toOriginalSpan(rendered, check));
  return { ...written, regions };
}
