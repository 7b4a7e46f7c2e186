import { checkGiven } from '../../checks/given.ts';
import { parseChecks } from '../../checks/parse-checks.ts';
import { checkSeverity } from '../../checks/severity.ts';
import type { Rule } from './rule.ts';

/** Reports errors of `:checks`, and of the severity of tests (docs/reference/checks.md). */
export const validChecks: Rule = ({ packages }, report) => {
  for (const { files } of packages.values()) {
    for (const file of files) {
      for (const block of file.file.blocks) {
        const errors =
          block.kind === 'test' ? [...checkSeverity(block.meta, false), ...checkGiven(block)] : [];
        for (const { at, message } of [...parseChecks(block).errors, ...errors]) report(file, at, message);
      }
    }
  }
};
