import { elementAt, present } from '../../../invariants/must.ts';
import type { Aggregate } from '../../model/aggregate-functions.ts';
import { GRAINS } from '../../model/model.ts';
import type { MeasureDocument } from '../../model/model-schema.ts';
import { toFieldKeys, toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { ForeignMap } from '../draft/foreign-map.ts';
import {
  joinConditions,
  listForeignTokens,
  type Replacement,
  readName,
  replaceSpans,
  wrapSql,
} from '../draft/foreign-sql.ts';
import type { Foreign } from '../draft/read-foreign.ts';
import type { DbtMeasure, DbtModel, DbtScope } from './dbt-scope.ts';
import { cutDate, findDbtSqlError, printInput } from './dbt-sql.ts';
import { tellConfig } from './read-dbt-field.ts';
import { printRatio, readDbtAggregate } from './read-dbt-measure.ts';

/** A metric as a measure of one model, or the reason why it cannot be one. */
interface DbtMetric {
  readonly model: DbtModel;
  readonly aggregate: Aggregate;
  readonly type: MeasureDocument['data_type'];
  /** The value that replaces NULL where other metrics use it. */
  readonly fill: string | null;
}

type MetricReading = DbtMetric | string;

/** Reads metrics on demand, because metrics refer to one another. */
export class DbtMetricReader {
  readonly #scope: DbtScope;
  readonly #known = new Map<string, MetricReading>();
  readonly #open = new Set<string>();

  constructor(scope: DbtScope) {
    this.#scope = scope;
  }

  /** Turns all metrics into measures, or reports why it cannot. */
  readAll(): void {
    for (const [name, { map }] of this.#scope.metrics) {
      const metric = this.#read(name);
      if (typeof metric === 'string') {
        map.drop(metric);
        continue;
      }
      const label = map.text('label');
      const description = map.text('description');
      tellConfig(map);
      map.finish({ time_granularity: importMessages.noOwnTime() });
      const { aggregation, expr, filter } = metric.aggregate;
      const measure: MeasureDocument = {
        name: toName(name, map.origin),
        ...toFieldKeys({ label, description }),
        data_type: metric.type,
        expr,
        aggregation_type: aggregation,
        ...(filter === null ? {} : { x_filter: filter }),
      };
      metric.model.entity.measures.push(measure);
      this.#scope.draft.origins.set(measure, map.origin);
    }
  }

  #read(name: string): MetricReading {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#open.has(name)) return importMessages.circle(name);
    this.#open.add(name);
    const made = this.#readMetric(name);
    this.#open.delete(name);
    this.#known.set(name, made);
    return made;
  }

  #readMetric(name: string): MetricReading {
    const entry = this.#scope.metrics.get(name);
    if (entry === undefined) return this.#readImplied(name);
    const { map, model } = entry;
    map.subject = `the metric ${name}`;
    const params = map.map('type_params', `\`type_params\` of ${map.subject}`) ?? map;
    const type = map.text('type')?.toLowerCase() ?? 'simple';
    // Keys in which a manifest repeats the inputs of a metric.
    if (params !== map) params.ignore('input_measures', 'is_private');
    if (params.flagOf('join_to_timespine') === false) params.ignore('join_to_timespine');
    const metric = this.#readKind(type, name, { map, params, model });
    if (params !== map && typeof metric !== 'string') params.finish();
    return metric;
  }

  /** The metric that dbt creates implicitly for a measure. */
  #readImplied(name: string): MetricReading {
    const entry = this.#scope.measures.get(name);
    if (!entry?.isMetric) return importMessages.unknownMember(name);
    const { measure } = entry;
    if (typeof measure === 'string') return measure;
    return { ...measure, aggregate: { ...measure.aggregate, filter: null }, fill: null };
  }

  #readKind(type: string, name: string, parts: Parts): MetricReading {
    switch (type) {
      case 'simple':
        return this.#readSimple(name, parts);
      case 'ratio':
        return this.#readRatio(parts);
      case 'derived':
        return this.#readDerived(parts);
      case 'cumulative':
      case 'conversion':
        return importMessages.noTime(`a ${type} metric`);
      default:
        return importMessages.unknownType(type);
    }
  }

  #readSimple(name: string, { map, params, model }: Parts): MetricReading {
    const isOwn = map.has('agg') && model !== null;
    const isInManifest = !isOwn && !params.has('measure') && params.has('metric_aggregation_params');
    if (isOwn) return this.#aggregate(map, map, readDbtAggregate(map, name, model, this.#scope));
    if (isInManifest) return this.#aggregate(map, params, this.#readOwnAggregate(params, name));
    const input = toInput(params, 'measure', map);
    if (input === undefined) return importMessages.missing('measure');
    const metric = this.#aggregate(map, input, this.#takeMeasure(input));
    if (typeof metric !== 'string') input.finish();
    return metric;
  }

  /** A metric that aggregates `input`, which can have its own filter besides the metric's filter. */
  #aggregate(map: ForeignMap, input: ForeignMap, measure: DbtMeasure | string): MetricReading {
    if (typeof measure === 'string') return measure;
    const filter = this.#takeFilters(input === map ? [map] : [map, input], measure.model);
    if (filter !== null && typeof filter !== 'string') return filter.why;
    const { aggregate } = measure;
    const fill = input.text('fill_nulls_with') ?? null;
    const isCount = aggregate.aggregation.startsWith('COUNT') && Number(fill) === 0;
    if (fill !== null && !isCount) map.approximate(importMessages.fill(), input.place('fill_nulls_with'));
    if (input.flag('join_to_timespine')) map.approximate(importMessages.spine());
    return { model: measure.model, aggregate: { ...aggregate, filter }, type: measure.type, fill };
  }

  /** Combines several filters with AND; null without filters. */
  #takeFilters(maps: readonly ForeignMap[], model: DbtModel): string | null | { readonly why: string } {
    const conditions: string[] = [];
    for (const map of maps) {
      const filter = takeFilter(map, model, this.#scope);
      if ('why' in filter) return filter;
      if (filter.sql !== null) conditions.push(filter.sql);
    }
    return joinConditions(conditions);
  }

  /** The metric's own aggregation, as a manifest describes it. */
  #readOwnAggregate(params: ForeignMap, name: string): DbtMeasure | string {
    const aggregation = params.map('metric_aggregation_params', `the aggregation of the metric ${name}`);
    const wanted = aggregation?.text('semantic_model') ?? '';
    const model = this.#scope.models.find((candidate) => candidate.name === wanted);
    if (aggregation === undefined || model === undefined) return importMessages.unknownMember(wanted);
    const measure = readDbtAggregate(
      aggregation,
      params.text('expr') ?? aggregation.text('expr') ?? name,
      model,
      this.#scope,
    );
    aggregation.finish();
    return measure;
  }

  #takeMeasure(input: ForeignMap): DbtMeasure | string {
    const name = input.text('name') ?? '';
    const entry = this.#scope.measures.get(name);
    if (entry === undefined) return importMessages.unknownMember(name);
    entry.isUsed = true;
    return entry.measure;
  }

  #readRatio({ map, params }: Parts): MetricReading {
    const sides = ['numerator', 'denominator'].map((key) => {
      const input = toInput(params, key, map);
      return input === undefined ? importMessages.missing(key) : this.#readInput(input);
    });
    const [numerator, denominator] = sides;
    if (typeof numerator === 'string') return numerator;
    if (typeof denominator === 'string') return denominator;
    const { platform } = this.#scope;
    const [above, below] = [present(numerator), present(denominator)];
    return this.#compose(map, [above, below], printRatio(above.sql, below.sql, platform), 'FLOAT');
  }

  #readDerived({ map, params }: Parts): MetricReading {
    const expr = params.text('expr');
    const error =
      expr === undefined ? importMessages.noExpression() : findDbtSqlError(expr, this.#scope.lexicalRules);
    if (error !== null) return error;
    const key = params.has('input_metrics') ? 'input_metrics' : 'metrics';
    const inputs = new Map<string, Input>();
    for (const item of params.list(key)) {
      const input =
        item.kind === 'map' ? new ForeignMap(item, `an input of ${map.subject}`, map.losses) : undefined;
      const name = item.kind === 'scalar' ? item.text : input?.text('name');
      const read = input === undefined ? this.#readNamed(name ?? '', null) : this.#readInput(input);
      if (typeof read === 'string') return read;
      inputs.set(input?.text('alias') ?? name ?? '', read);
    }
    const sql = replaceNames(present(expr), inputs, this.#scope.lexicalRules);
    if (sql === null) return importMessages.tooLong();
    return this.#compose(map, [...inputs.values()], sql, 'NUMBER');
  }

  /** An input of a metric: another metric, optionally with its own filter. */
  #readInput(input: ForeignMap): Input | string {
    const name = input.text('name') ?? '';
    input.ignore('alias');
    if (input.has('offset_window') || input.has('offset_to_grain')) return importMessages.offset();
    const reading = this.#readNamed(name, input);
    if (typeof reading !== 'string') input.finish();
    return reading;
  }

  #readNamed(name: string, input: ForeignMap | null): Input | string {
    const metric = this.#read(name);
    if (typeof metric === 'string') return importMessages.lostMember(name);
    const reading = input === null ? { sql: null } : takeFilter(input, metric.model, this.#scope);
    if ('why' in reading) return reading.why;
    const filter = joinConditions(
      [metric.aggregate.filter, reading.sql].flatMap((condition) => condition ?? []),
    );
    const sql = printInput({ ...metric.aggregate, filter });
    if (sql === null) return importMessages.notInside(name);
    const { fill } = metric;
    const isNever = metric.aggregate.aggregation.startsWith('COUNT') && filter === null;
    const isNumber = fill !== null && !isNever && Number.isFinite(Number(fill));
    return { model: metric.model, sql: isNumber ? `COALESCE(${sql}, ${fill})` : wrapCall(sql) };
  }

  #compose(map: ForeignMap, inputs: readonly Input[], sql: string, type: DbtMetric['type']): MetricReading {
    const models = new Set(inputs.map(({ model }) => model));
    const [model, ...others] = models;
    if (model === undefined) return importMessages.missing('metrics');
    if (others.length > 0) return importMessages.severalModels([...models].map(({ name }) => name));
    const filter = takeFilter(map, model, this.#scope);
    if ('why' in filter) return filter.why;
    return { model, aggregate: { aggregation: 'CUSTOM', expr: sql, filter: filter.sql }, type, fill: null };
  }
}

/** A metric, the map with its parameters, and its model. */
interface Parts {
  readonly map: ForeignMap;
  readonly params: ForeignMap;
  readonly model: DbtModel | null;
}

interface Input {
  readonly model: DbtModel;
  readonly sql: string;
}

/** The input of a metric, given by name or as a map. */
function toInput(params: ForeignMap, key: string, owner: ForeignMap): ForeignMap | undefined {
  const value = params.any(key);
  if (value?.kind === 'map') return new ForeignMap(value, `\`${key}\` of ${owner.subject}`, owner.losses);
  if (value?.kind !== 'scalar') return undefined;
  const entries = new Map([['name', { span: value.span, value }]]);
  return new ForeignMap(
    { kind: 'map', span: value.span, entries },
    `\`${key}\` of ${owner.subject}`,
    owner.losses,
  );
}

/** Wraps SQL so that it keeps its meaning next to operators; a call needs no parentheses. */
function wrapCall(sql: string): string {
  return /^[A-Z]+\([^()]*\)$/.test(sql) ? sql : wrapSql(sql);
}

/** An expression over metrics, with the names replaced by their SQL. */
function replaceNames(
  expr: string,
  inputs: ReadonlyMap<string, Input>,
  lexicalRules: DbtScope['lexicalRules'],
): string | null {
  const replacements = listForeignTokens(expr, lexicalRules).flatMap((word) => {
    const input = inputs.get(readName(word) ?? '');
    return input === undefined ? [] : [{ start: word.start, end: word.end, sql: input.sql }];
  });
  return replaceSpans(expr, replacements);
}

/**
 * The result of reading a filter: SQL over the model's columns (null without a filter), or the reason why it cannot be
 * imported.
 */
type FilterReading = { readonly sql: string | null } | { readonly why: string };

/** Reads the `filter` of a metric or of one of its inputs; its conditions are combined with AND. */
function takeFilter(map: ForeignMap, model: DbtModel, scope: DbtScope): FilterReading {
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
    const reading = readReference(inner.trim(), model, scope);
    if (typeof reading !== 'string') return reading;
    replacements.push({ start: index, end: index + whole.length, sql: reading });
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
  const match = CALL.exec(text);
  if (match === null) return { why: importMessages.template(`{{ ${text} }}`) };
  const [, kind, single, double, unit, otherUnit] = match;
  const path = (single ?? double ?? '').trim();
  const parts = path.split('__');
  const name = elementAt(parts, -1);
  if (kind === 'Entity') return readKey(path, model);
  const isOwn = parts.length === 2 && parts[0] === model.primaryEntity;
  const dimension = isOwn ? model.dimensions.get(name) : undefined;
  if (dimension === undefined) return { why: importMessages.otherMember(path) };
  const grainName = (unit ?? otherUnit)?.trim().toLowerCase();
  if (grainName === undefined || !dimension.isTime || grainName === dimension.grain)
    return wrapSql(dimension.expr);
  const grain = GRAINS.find((candidate) => candidate === grainName);
  const cut = grain === undefined ? null : cutDate(dimension.expr, grain, scope.platform);
  return cut ?? { why: importMessages.platformSql(`the grain ${grainName}`, scope.platform) };
}

/** The SQL of a reference to one of the model's own entities. */
function readKey(name: string, { keys }: DbtModel): string | { readonly why: string } {
  const key = keys.find((candidate) => candidate.name === name);
  if (key === undefined) return { why: importMessages.otherMember(name) };
  return key.error === null ? wrapSql(key.expr) : { why: importMessages.lostMember(name) };
}
