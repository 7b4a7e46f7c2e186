import type { Rule } from './rule.ts';

/** Warns if the name of an import hides a name of the package. */
export const unambiguousNames: Rule = ({ packages }, report) => {
  for (const { files, definitions } of packages.values()) {
    for (const file of files) {
      for (const [name, { declaration }] of file.imports) {
        const hidden = definitions.get(name);
        if (hidden === undefined) continue;
        const message = `in this file \`${name}\` is the import, which hides the ${hidden.kind} of this package`;
        report(file, declaration.alias ?? declaration.pathSpan, message, 'warning');
      }
    }
  }
};
