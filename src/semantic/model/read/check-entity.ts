import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import {
  DUCKDB_COLUMNS,
  MARIADB_COLUMNS,
  RESERVED_DUCKDB,
  RESERVED_MYSQL,
  RESERVED_POSTGRESQL,
  RESERVED_TRINO,
  toSet,
} from '../../../engine/text/reserved-words.ts';
import { quoteText } from '../../../engine/text/sql-quote.ts';
import { present } from '../../../invariants/must.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import { findTimeZone } from '../local-time.ts';
import type { Platform } from '../model.ts';
import { modelMessages } from '../model-messages.ts';
import type {
  DimensionDocument,
  EntityDocument,
  LayerDocument,
  MeasureDocument,
  ModelDocument,
} from '../model-schema.ts';
import {
  findCalls,
  findWindowFunction,
  isCommaList,
  type ScannedExpression,
  scanExpression,
} from '../scan-expression.ts';
import type { Loose } from './read-document.ts';

/** Reports an error in the value of an object's key, or in the object. */
export type Refuse = (owner: object, key: string | undefined, message: string) => void;

interface Check {
  readonly platform: Platform;
  readonly lexicalRules: LexicalRules;
  readonly refuse: Refuse;
  /** Prints the location of a part of this file, for messages about another part. */
  readonly printPlace: (owner: object, key: string) => string;
}

/**
 * Finds the errors in the entities of one file, independent of other files
 * (docs/reference/semantic-model.md#checking-a-model).
 */
export function checkEntities(
  document: Loose<ModelDocument>,
  refuse: Refuse,
  printPlace: Check['printPlace'],
): void {
  for (const layer of document.layers ?? []) {
    checkTimeZone(layer, refuse);
    const platform = layer.environment?.platform ?? 'duckdb';
    const { lexicalRules } = DIALECTS[platform];
    for (const domain of layer.domains ?? []) {
      for (const entity of domain.entities ?? []) {
        checkEntity(entity, { platform, lexicalRules, refuse, printPlace });
      }
    }
  }
}

function checkTimeZone(layer: Loose<LayerDocument>, refuse: Refuse): void {
  const zone = layer.x_timezone;
  if (zone === undefined || findTimeZone(zone) !== null) return;
  refuse(layer, 'x_timezone', modelMessages.unknownTimeZone(zone));
}

function checkEntity(entity: Loose<EntityDocument>, check: Check): void {
  checkSource(entity, check);
  checkNames([...(entity.dimensions ?? []), ...(entity.measures ?? [])], 'field', check);
  checkNames(entity.relationships ?? [], 'relationship', check);
  for (const dimension of entity.dimensions ?? []) checkDimension(dimension, entity, check);
  for (const measure of entity.measures ?? []) checkMeasure(measure, check);
  for (const relationship of entity.relationships ?? []) {
    const { expr } = relationship;
    if (expr !== undefined) checkJoin(relationship, expr, check);
  }
}

function checkSource(entity: Loose<EntityDocument>, check: Check): void {
  const { table_name, query, x_primary_key = [] } = entity;
  if (table_name !== undefined) readOne(entity, 'table_name', table_name, check);
  if (query !== undefined) readSql(entity, 'query', query, check);
  for (const column of x_primary_key) readOne(entity, 'x_primary_key', column, check);
  if (table_name !== undefined && query !== undefined) {
    check.refuse(entity, 'query', modelMessages.tableAndQuery());
  }
  const hasKey = Object.hasOwn(entity, 'table_name') || Object.hasOwn(entity, 'query');
  if (!hasKey) check.refuse(entity, 'name', modelMessages.noSource());
}

interface Named {
  readonly name?: string | undefined;
}

/** Most databases treat names that differ only in case as equal. */
function checkNames(all: readonly Named[], what: string, { refuse, printPlace }: Check): void {
  const seen = new Map<string, Named>();
  for (const one of all) {
    if (one.name === undefined) continue;
    const other = seen.get(one.name.toLowerCase());
    if (other === undefined) seen.set(one.name.toLowerCase(), one);
    else refuse(one, 'name', describeTwin(what, one.name, present(other.name), printPlace(other, 'name')));
  }
}

/** The message for a name that `other` at `place` already uses. */
export function describeTwin(what: string, name: string, other: string, place: string): string {
  if (name === other) return modelMessages.duplicate(what, name, place);
  return modelMessages.duplicateByCase(what, name, other, place);
}

function checkDimension(
  dimension: Loose<DimensionDocument>,
  entity: Loose<EntityDocument>,
  check: Check,
): void {
  const { data_type: type, expr, x_case_sensitive } = dimension;
  const { refuse } = check;
  if (expr !== undefined) checkRowSql(dimension, 'expr', expr, 'a dimension', check);
  if (type === undefined) return;
  if (x_case_sensitive === true && type !== 'TEXT') {
    refuse(dimension, 'x_case_sensitive', modelMessages.caseOfType(type));
  }
  checkGrains(dimension, entity, check);
}

function checkGrains(
  dimension: Loose<DimensionDocument>,
  { dimensions = [], measures = [] }: Loose<EntityDocument>,
  { refuse, printPlace }: Check,
): void {
  const { name = '', data_type: type, x_grains: grains = [] } = dimension;
  if (grains.length > 0 && type !== undefined && type !== 'DATE' && type !== 'DATETIME') {
    refuse(dimension, 'x_grains', modelMessages.grainsOfType(type));
  }
  for (const [at, grain] of grains.entries()) {
    if (grains.indexOf(grain) < at) {
      refuse(dimension, 'x_grains', modelMessages.grainTwice(grain));
      continue;
    }
    const added = `${name}_${grain}`;
    const taken = [...dimensions, ...measures].find(
      (field) => field.name?.toLowerCase() === added.toLowerCase(),
    );
    if (taken === undefined) continue;
    refuse(dimension, 'x_grains', modelMessages.grainTaken(added, grain, printPlace(taken, 'name')));
  }
}

function checkMeasure(measure: Loose<MeasureDocument>, check: Check): void {
  const { expr, aggregation_type: type, x_filter } = measure;
  if (x_filter !== undefined) checkRowSql(measure, 'x_filter', x_filter, 'a filter', check);
  if (expr === undefined || type === undefined) return;
  if (expr.trim() === '*') {
    if (type !== 'COUNT') check.refuse(measure, 'expr', modelMessages.starOfType(type));
    return;
  }
  const expression = readOne(measure, 'expr', expr, check);
  if (expression === null) return;
  if (type !== 'CUSTOM' && /^distinct\b/i.test(expr.trim())) {
    check.refuse(measure, 'expr', modelMessages.distinct());
    return;
  }
  if (type === 'CUSTOM') {
    checkCustom(measure, expression, check);
    return;
  }
  const aggregate = findCalls(expression).find(({ kind }) => kind === 'aggregate');
  if (aggregate === undefined) return;
  check.refuse(measure, 'expr', modelMessages.aggregateTwice(aggregate.name, type));
}

/** A CUSTOM measure must aggregate, as far as that can be known, and must not use window functions. */
function checkCustom(measure: object, expression: ScannedExpression, { refuse }: Check): void {
  const window = findWindowFunction(expression);
  if (window !== null) {
    refuse(measure, 'expr', modelMessages.windowInCustom(window));
  } else if (findCalls(expression).every(({ kind }) => kind === 'scalar')) {
    refuse(measure, 'expr', modelMessages.customWithoutAggregate());
  }
}

function checkJoin(relationship: object, expr: string, check: Check): void {
  const expression = checkRowSql(relationship, 'expr', expr, 'a join', check);
  const window = expression && findWindowFunction(expression);
  if (window !== null) check.refuse(relationship, 'expr', modelMessages.windowInJoin(window));
}

/** Checks SQL that is computed for each row, which cannot have aggregates; null if it is invalid. */
function checkRowSql(
  owner: object,
  key: string,
  text: string,
  what: string,
  check: Check,
): ScannedExpression | null {
  const expression = readOne(owner, key, text, check);
  const aggregate = expression && findCalls(expression).find(({ kind }) => kind === 'aggregate');
  if (!aggregate) return expression;
  check.refuse(owner, key, modelMessages.aggregateInRow(aggregate.name, what));
  return null;
}

/** Reads SQL that returns one value. */
function readOne(owner: object, key: string, text: string, check: Check): ScannedExpression | null {
  const expression = readSql(owner, key, text, check);
  if (expression === null) return null;
  const error = isCommaList(expression) ? modelMessages.several() : findReserved(expression, check.platform);
  if (error === null) return expression;
  check.refuse(owner, key, error);
  return null;
}

/** The message for a reserved word alone: a column with this name needs quotes. Null for other SQL, and for values. */
function findReserved({ text, tokens }: ScannedExpression, platform: Platform): string | null {
  const [token, ...others] = tokens;
  if (token === undefined || others.length > 0) return null;
  const word = text.slice(token.start, token.end).toLowerCase();
  if (QUOTED_COLUMNS[platform]?.has(word) !== true) return null;
  return modelMessages.reservedWord(word, quoteText(DIALECTS[platform].quoteName(word)));
}

function readSql(
  owner: object,
  key: string,
  text: string,
  { lexicalRules, refuse }: Check,
): ScannedExpression | null {
  const expression = scanExpression(text, lexicalRules);
  if (expression.error === null) return expression;
  refuse(owner, key, expression.error);
  return null;
}

/** Reserved words that are values. */
const ALWAYS_VALUES = `
  current_catalog current_date current_path current_role current_schema current_time current_timestamp current_user
  false localtime localtimestamp null session_user system_user true user utc_date utc_time utc_timestamp`;

/** The words, in lower case, that are not expressions: a column with this name needs quotes. */
const QUOTED_COLUMNS: Readonly<Record<string, ReadonlySet<string>>> = {
  duckdb: leaveOut(RESERVED_DUCKDB, `${ALWAYS_VALUES} ${DUCKDB_COLUMNS}`),
  postgresql: leaveOut(RESERVED_POSTGRESQL, ALWAYS_VALUES),
  mysql: leaveOut(RESERVED_MYSQL, `${ALWAYS_VALUES} ${MARIADB_COLUMNS}`),
  trino: leaveOut(RESERVED_TRINO, ALWAYS_VALUES),
};

function leaveOut(all: ReadonlySet<string>, words: string): ReadonlySet<string> {
  const others = toSet(words);
  return new Set([...all].filter((word) => !others.has(word)));
}
