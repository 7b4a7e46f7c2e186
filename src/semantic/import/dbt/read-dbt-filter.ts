import { elementAt } from '../../../invariants/must.ts';
import { GRAINS } from '../../model/model.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import { joinConditions, type Replacement, replaceSpans, wrapSql } from '../draft/foreign-sql.ts';
import type { Foreign } from '../draft/read-foreign.ts';
import type { DbtModel, DbtScope } from './dbt-scope.ts';
import { cutDate, findDbtSqlError } from './dbt-sql.ts';

/**
 * The result of reading a filter: SQL over the model's columns (null without a filter), or the reason why it cannot be
 * imported.
 */
export type FilterReading = { readonly sql: string | null } | { readonly why: string };

/** Reads the `filter` of a metric or of one of its inputs; its conditions are combined with AND. */
export function takeFilter(map: ForeignMap, model: DbtModel, scope: DbtScope): FilterReading {
  const texts = listConditions(map);
  if (texts === null) return { why: importMessages.badFilter() };
  const conditions: string[] = [];
  for (const text of texts) {
    const condition = readCondition(text, model, scope);
    if (typeof condition !== 'string') return condition;
    conditions.push(condition);
  }
  return { sql: joinConditions(conditions) };
}

/** The conditions of a filter: a string, a list, or the form of a manifest; null for any other form. */
function listConditions(map: ForeignMap): readonly string[] | null {
  const value = map.any('filter');
  if (value === undefined) return [];
  const items = value.kind === 'list' ? value.items : value.kind === 'map' ? listTemplates(map) : [value];
  const texts = items?.flatMap((item) =>
    item.kind === 'scalar' && item.text.isWellFormed() ? [item.text] : [],
  );
  return texts !== undefined && texts.length === items?.length ? texts : null;
}

function listTemplates(map: ForeignMap): readonly Foreign[] | null {
  const filter = map.map('filter', `\`filter\` of ${map.subject}`);
  const parts = filter?.allMaps('where_filters', `a filter of ${map.subject}`) ?? null;
  return parts?.flatMap((part) => part.any('where_sql_template') ?? []) ?? null;
}

const REFERENCE = /\{\{([^{}]*)\}\}/g;

function readCondition(text: string, model: DbtModel, scope: DbtScope): string | { readonly why: string } {
  const replacements: Replacement[] = [];
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(REFERENCE)) {
    const found = readReference(inner.trim(), model, scope);
    if (typeof found !== 'string') return found;
    replacements.push({ start: index, end: index + whole.length, sql: found });
  }
  const sql = replaceSpans(text, replacements)?.trim();
  if (sql === undefined) return { why: importMessages.tooLong() };
  const error = findDbtSqlError(sql, scope.lexicalRules);
  return error === null ? sql : { why: error };
}

const CALL =
  /^(Dimension|TimeDimension|Entity)\(\s*(?:'([^']*)'|"([^"]*)")\s*(?:,\s*(?:'([^']*)'|"([^"]*)")\s*)?\)$/;

/** The SQL of a reference to a field of the model. */
function readReference(text: string, model: DbtModel, scope: DbtScope): string | { readonly why: string } {
  const found = CALL.exec(text);
  if (found === null) return { why: importMessages.template(`{{ ${text} }}`) };
  const [, kind, single, double, unit, otherUnit] = found;
  const path = (single ?? double ?? '').trim();
  const parts = path.split('__');
  const name = elementAt(parts, -1);
  if (kind === 'Entity') return readKey(path, model);
  const isOwn = parts.length === 2 && parts[0] === model.primaryEntity;
  const dimension = isOwn ? model.dimensions.get(name) : undefined;
  if (dimension === undefined) return { why: importMessages.otherMember(path) };
  const given = (unit ?? otherUnit)?.trim().toLowerCase();
  if (given === undefined || !dimension.isTime || given === dimension.grain) return wrapSql(dimension.expr);
  const grain = GRAINS.find((each) => each === given);
  const cut = grain === undefined ? null : cutDate(dimension.expr, grain, scope.platform);
  return cut ?? { why: importMessages.platformSql(`the grain ${given}`, scope.platform) };
}

/** The SQL of a reference to one of the model's own entities. */
function readKey(name: string, { keys }: DbtModel): string | { readonly why: string } {
  const key = keys.find((each) => each.name === name);
  if (key === undefined) return { why: importMessages.otherMember(name) };
  return key.error === null ? wrapSql(key.expr) : { why: importMessages.lostMember(name) };
}
