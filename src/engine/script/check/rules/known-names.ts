import type { LinkedFile, Package, Program } from '../../program/program.ts';
import type { Expression, ScriptFile } from '../../syntax/ast.ts';
import { findReference } from '../../values/resolve.ts';
import type { Report, Rule } from './rule.ts';
import { walkFile } from './walk.ts';

/** For each parsed file, one expression for every name and member name that it uses. */
const used = new WeakMap<ScriptFile, readonly Expression[]>();
const noLocals: ReadonlySet<string> = new Set();

/**
 * Reports unknown names, and private names of other packages (docs/reference/language.md#names). Ignores names that
 * appear in a file with syntax errors, because that file can define them.
 */
export const knownNames: Rule = (program, report) => {
  for (const owner of program.packages.values()) {
    for (const file of owner.files) {
      if (!knowsAll(program, owner, file)) reportUnknown(program, owner, file, report);
    }
  }
};

function knowsAll(program: Program, owner: Package, file: LinkedFile): boolean {
  const place = { package: owner, file, locals: noLocals };
  return listUsed(owner, file).every((name) => findReference(program, name, place)?.kind !== 'unknown');
}

/** The names that a file uses depend only on its source: an unchanged file is not walked again. */
function listUsed(owner: Package, file: LinkedFile): readonly Expression[] {
  const known = used.get(file.file);
  if (known !== undefined) return known;
  const found = new Map<string, Expression>();
  walkFile(owner, file, (expression, { locals }) => {
    const name = expression.kind === 'member' ? expression.object : expression;
    if (name.kind !== 'name' || locals.has(name.name)) return;
    const member = expression.kind === 'member' ? `.${expression.member.name}` : '';
    found.set(`${name.name}${member}`, expression);
  });
  const all = [...found.values()];
  used.set(file.file, all);
  return all;
}

function reportUnknown(program: Program, owner: Package, file: LinkedFile, report: Report): void {
  walkFile(owner, file, (expression, place) => {
    const resolved = findReference(program, expression, place);
    if (resolved?.kind !== 'unknown' || resolved.reported) return;
    const at = expression.kind === 'member' ? expression.member : expression;
    const name = 'name' in at ? at.name : '';
    if (program.broken.some(({ rendered }) => rendered.text.includes(name))) return;
    report(file, at, resolved.message);
  });
}
