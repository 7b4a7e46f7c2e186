import { elementAt } from '../../../invariants/must.ts';
import type { Translate } from '../../connection/contract/translate.ts';
import type { CompiledStep } from '../../script/compile.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { createDiagnostic, DiagnosticError, type Warn } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { getLineMap } from '../../text/line-map.ts';
import type { Source } from '../../text/source.ts';
import { compose, type NamedQuery } from './compose.ts';

interface StepOptions {
  readonly translate: Translate;
  /** Those of the text before the translation. */
  readonly lexicalRules: LexicalRules;
  /** The sources of the steps. */
  readonly sources: readonly Source[];
  readonly warn: Warn;
  readonly signal: AbortSignal;
}

/**
 * Compiled steps as a semantic connection runs them (docs/reference/semantic-sql-scripts.md): called blocks become parts
 * of the statements that call them, and each statement is the SQL of the physical database. The lines of a statement
 * have the origin of its first line. Rejects with a DiagnosticError for a statement that cannot be translated.
 */
export async function translateSteps(
  steps: readonly CompiledStep[],
  { translate, lexicalRules, sources, warn, signal }: StepOptions,
): Promise<readonly CompiledStep[]> {
  const namedQueries: NamedQuery[] = [];
  const translated: CompiledStep[] = [];
  for (const step of steps) {
    const query = toStatement(step);
    if (step.kind === 'action') translated.push(step);
    else if (step.relation !== null) namedQueries.push({ name: step.relation, query, isOnce: false });
    else {
      const composed = compose(query, listUsed(query, namedQueries), lexicalRules) ?? query;
      const translation = await translate(composed.sql, signal);
      if (translation.status === 'refused') throw createRefusal(step, translation.message, sources);
      for (const message of translation.warnings) {
        warn({ severity: 'warning', code: 'model', message, suggestion: null });
      }
      const origin = elementAt(step.lines, 0);
      translated.push({ ...step, lines: translation.sql.split('\n').map((text) => ({ ...origin, text })) });
    }
  }
  return translated;
}

function toStatement({ lines }: CompiledStep): Statement {
  return { sql: lines.map(({ text }) => text).join('\n'), start: 0, findOrigin: () => null };
}

/** The queries that a statement reads, directly or through others, in their order. */
function listUsed({ sql }: Statement, namedQueries: readonly NamedQuery[]): readonly NamedQuery[] {
  const used = new Set(sql.match(/\bquern_\d+\b/g));
  for (const { name, query } of namedQueries.toReversed()) {
    if (used.has(name)) for (const inner of query.sql.match(/\bquern_\d+\b/g) ?? []) used.add(inner);
  }
  return namedQueries.filter(({ name }) => used.has(name));
}

function createRefusal(
  { lines }: CompiledStep,
  message: string,
  sources: readonly Source[],
): DiagnosticError {
  const { file, line } = elementAt(lines, 0);
  const source = sources.find(({ name }) => name === file) ?? { name: file, text: '' };
  const start = getLineMap(source).starts[line - 1] ?? 0;
  return new DiagnosticError([createDiagnostic(source, { start, end: start }, message, 'sql')]);
}
