import { listUses } from '../../program/list-uses.ts';
import {
  type Definition,
  type LinkedFile,
  listDefinitions,
  type Package,
  type Program,
} from '../../program/program.ts';
import { walkFile } from '../../program/walk.ts';
import type { Expression } from '../../syntax/ast.ts';
import { findReference } from '../../values/resolve.ts';
import type { Report, Rule } from './rule.ts';

const noLocals: ReadonlySet<string> = new Set();

/**
 * Reports unknown names, and private names of other packages (docs/reference/language.md#names). Ignores names that
 * appear in a file with syntax errors, because that file can define them.
 */
export const knownNames: Rule = (program, report) => {
  for (const owner of program.packages.values()) {
    for (const file of owner.files) {
      if (!listDefinitions(owner, file).every((definition) => knowsAll(program, definition))) {
        reportUnknown(program, owner, file, report);
      }
    }
  }
};

function knowsAll(program: Program, definition: Definition): boolean {
  const context = { package: definition.package, file: definition.file, locals: noLocals };
  const isKnown = (expression: Expression) => findReference(program, expression, context)?.kind !== 'unknown';
  return listUses(definition).every(({ object, member }) => isKnown(object) && (!member || isKnown(member)));
}

function reportUnknown(program: Program, owner: Package, file: LinkedFile, report: Report): void {
  walkFile(owner, file, (expression, context) => {
    const resolved = findReference(program, expression, context);
    if (resolved?.kind !== 'unknown' || resolved.reported) return;
    const at = expression.kind === 'member' ? expression.member : expression;
    const name = 'name' in at ? at.name : '';
    if (program.broken.some(({ rendered }) => rendered.text.includes(name))) return;
    report(context.file, at, resolved.message);
  });
}
