import type { LinkedFile, Package, Program } from '../../program/program.ts';
import type { Expression, ScriptFile } from '../../syntax/ast.ts';
import { findReference } from '../../values/resolve.ts';
import type { Report, Rule } from './rule.ts';
import { walkFile } from './walk.ts';

/** Of each parsed file, one expression for every name that it uses, and for every name of such a name. */
const used = new WeakMap<ScriptFile, readonly Expression[]>();
const noLocals: ReadonlySet<string> = new Set();

/**
 * Every name means something, and private names stay in their package (language 1). A name that stands in a
 * file with faults of syntax may be defined there, and is left alone.
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

/** What a file uses depends on its text alone: a file that is still the same is not walked again. */
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
