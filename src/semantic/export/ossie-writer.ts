import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { listForeignTokens, readName } from '../import/draft/foreign-sql.ts';
import { type Loss, toLine } from '../import/draft/losses.ts';
import type { Entity, Platform } from '../model/model.ts';
import { findOssieDialect, VENDOR } from './ossie-terms.ts';

/** A map of an Ossie document; undefined values are left out. */
export type OssieMap = Readonly<Record<string, unknown>>;

/** The state of the export of one layer. */
export interface OssieWriter {
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  readonly losses: Loss[];
}

/** Records that only Quern reads something, or that its meaning is only approximate. */
export function noteLoss({ losses }: OssieWriter, kind: Loss['kind'], subject: string, why: string): void {
  losses.push({ kind, message: toLine(`${subject}: ${why}`), file: null, line: null, column: null });
}

/** A map without empty keys. */
export function toOssieMap(entries: OssieMap): OssieMap {
  const pairs = Object.entries(entries).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(pairs);
}

/** An expression in the dialect of the layer. */
export function toOssieExpression(expression: string, { platform }: OssieWriter): OssieMap {
  return { dialects: [{ dialect: findOssieDialect(platform), expression }] };
}

/** Quern's extension; undefined without data. */
export function toExtensions(data: OssieMap): readonly OssieMap[] | undefined {
  const content = toOssieMap(data);
  if (Object.keys(content).length === 0) return undefined;
  return [{ vendor_name: VENDOR, data: JSON.stringify(content) }];
}

/** Synonyms, in the form that AI assistants read. */
export function toAiContext(synonyms: readonly string[]): OssieMap | undefined {
  return synonyms.length === 0 ? undefined : { synonyms };
}

/** A column name that other tools would read as a field with the same name but another expression. */
export function findClash(
  sql: string,
  { dimensions }: Entity,
  lexicalRules: LexicalRules,
  fieldName: string | null,
): string | undefined {
  const names = listForeignTokens(sql, lexicalRules).flatMap((word) => readName(word)?.toLowerCase() ?? []);
  return dimensions.find(({ name, expr, grain }) => {
    const key = name.toLowerCase();
    return grain === null && name !== fieldName && names.includes(key) && expr.trim().toLowerCase() !== key;
  })?.name;
}
