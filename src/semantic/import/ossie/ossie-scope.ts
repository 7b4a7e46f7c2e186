import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { entryOf, present } from '../../../invariants/must.ts';
import { OSSIE_DIALECTS } from '../../export/ossie-terms.ts';
import type { Platform } from '../../model/model.ts';
import type { MeasureDocument, RelationshipDocument } from '../../model/model-schema.ts';
import { type EntityDraft, findSqlError, type ModelDraft } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import { listForeignTokens } from '../draft/foreign-sql.ts';
import type { PartLocation } from '../draft/losses.ts';

/** A dataset with its entity. */
export interface OssieDataset {
  readonly entity: EntityDraft;
  /** The expressions of its fields, by lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly UniqueKey[];
  readonly extensionParts: OwnParts;
}

/** A part of Quern's extension, and its index in its list. */
export interface OwnPart<T> {
  readonly document: T;
  readonly at: number;
  readonly origin: PartLocation;
}

/** The parts that Ossie cannot express. */
export interface OwnParts {
  readonly measures: readonly OwnPart<MeasureDocument>[];
  readonly relationships: readonly OwnPart<RelationshipDocument>[];
}

export interface UniqueKey {
  readonly columns: readonly string[];
  /** Set by a one-to-one relationship that needs it. */
  isUsed: boolean;
}

/** The state of an import of one semantic model of Ossie. */
export interface OssieScope {
  readonly draft: ModelDraft;
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  /** By lower-case name. */
  readonly datasets: Map<string, OssieDataset>;
}

/** Reads the `ai_context` of a part, whose synonyms are imported. */
export function takeSynonyms(owner: ForeignMap): readonly string[] {
  const context = owner.any('ai_context');
  if (context === undefined) return [];
  if (context.kind !== 'map') return owner.refuse('ai_context', importMessages.forAssistants()) ?? [];
  const map = present(owner.map('ai_context', `\`ai_context\` of ${owner.subject}`));
  const synonyms = map.texts('synonyms');
  const [instructions, examples] = [importMessages.forAssistants(), importMessages.forAssistants()];
  map.finish({ instructions, examples });
  return synonyms;
}

/**
 * Reads an expression in the best available dialect; undefined if the owner is left out because there is no dialect.
 */
export function takeExpression(owner: ForeignMap, scope: OssieScope): string | undefined {
  const expression = owner.map('expression', `the expression of ${owner.subject}`);
  if (expression === undefined) return owner.drop(importMessages.noExpression());
  const known = OSSIE_DIALECTS[scope.platform];
  const texts = new Map<string, string>();
  for (const each of expression.maps('dialects', `a dialect of ${owner.subject}`)) {
    const dialect = each.text('dialect') ?? 'ANSI_SQL';
    const text = each.text('expression');
    each.finish();
    if (text !== undefined && !texts.has(dialect)) texts.set(dialect, text);
  }
  expression.finish();
  const dialect = known.find((name) => texts.has(name));
  if (dialect === undefined) return owner.drop(importMessages.noDialect(known));
  const text = entryOf(texts, dialect);
  const error = findSqlError(text, scope.lexicalRules) ?? findForeignSyntax(text, dialect, scope);
  return error === null ? text : owner.drop(error);
}

/** Finds standard SQL syntax that has another meaning on the platform. */
function findForeignSyntax(
  text: string,
  dialect: string,
  { platform, lexicalRules }: OssieScope,
): string | null {
  if (lexicalRules.doubleQuotes === 'name' || !/SQL/.test(dialect)) return null;
  const words = listForeignTokens(text, lexicalRules);
  const isQuoted = words.some((word) => word.kind === 'string' && word.text.startsWith('"'));
  if (isQuoted) return importMessages.platformSql('a name in double quotes', platform);
  const isJoined = words.some(({ text: sign, end }, at) => sign === '|' && words[at + 1]?.start === end);
  return isJoined && platform === 'mysql' ? importMessages.platformSql('`||`', platform) : null;
}
