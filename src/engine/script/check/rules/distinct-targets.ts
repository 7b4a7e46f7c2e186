import { createScriptDiagnostic, type LinkedFile, type Package } from '../../program/program.ts';
import type { BlockDeclaration, Expression } from '../../syntax/ast.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import type { Rule } from './rule.ts';

/** A block that replaces its published object, as far as the source shows. */
interface Target {
  readonly file: LinkedFile;
  readonly block: BlockDeclaration;
  /** The value of its `:name` or `:path`. */
  readonly at: Expression;
  /** A key that is equal for targets with the same table, view or file. */
  readonly key: string;
}

/**
 * Warns if two blocks of a package replace the same table, view or file: one run cannot publish both
 * (docs/reference/publishing.md#order).
 */
export const distinctTargets: Rule = ({ packages }, report) => {
  for (const owner of packages.values()) {
    const first = new Map<string, Target>();
    for (const target of listTargets(owner)) {
      const other = first.get(target.key);
      if (other === undefined) first.set(target.key, target);
      else report(target.file, target.at, describe(other), 'warning');
    }
  }
};

function* listTargets({ files }: Package): Generator<Target> {
  for (const file of files) {
    for (const block of file.file.blocks) {
      const publication = findEntry(block.meta, 'publication');
      if (publication?.kind !== 'map' || findEntry(publication, 'incremental') !== null) continue;
      const name = findEntry(publication, 'name');
      const schema = findEntry(publication, 'schema');
      const at = name ?? findEntry(publication, 'path');
      const texts = [at, schema].map((value) => (value === null ? '' : printText(value)));
      if (at === null || texts.includes(null)) continue;
      yield { file, block, at, key: JSON.stringify([name === null, ...texts]) };
    }
  }
}

function printText(expression: Expression): string | null {
  return expression.kind === 'literal' && typeof expression.value === 'string' ? expression.value : null;
}

function describe({ file, block, at }: Target): string {
  const { file: name, line } = createScriptDiagnostic(file.file, at, '');
  return `the block \`${block.name?.name}\` (${name}:${line}) is also published as this: one run cannot publish both`;
}
