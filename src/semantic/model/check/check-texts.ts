import { DIALECTS } from '../../sql/dialects.ts';
import { modelMessages } from '../model-messages.ts';
import type { Findings } from '../read/findings.ts';
import { findTextComparison, scanExpression } from '../scan-expression.ts';
import type { PlacedEntity } from './check-columns.ts';

/**
 * Warns about measures that compare text with the collation of a column. The collation can ignore case, but filters of
 * queries compare exactly.
 */
export function warnAboutTexts({ file, platform, document }: PlacedEntity, warn: Findings['warn']): void {
  const { lexicalRules, textKeys } = DIALECTS[platform ?? 'duckdb'];
  if (textKeys === null) return;
  for (const measure of document.measures ?? []) {
    for (const key of ['expr', 'x_filter'] as const) {
      const found = findTextComparison(scanExpression(measure[key] ?? '', lexicalRules));
      if (found === null) continue;
      const exact = textKeys.toExact(found.operand);
      warn({ file, document: measure }, key, modelMessages.looseText(found.literal, exact));
    }
  }
}
