import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { elementAt, present } from '../../../invariants/must.ts';
import type { DimensionDocument, LayerDocument } from '../../model/model-schema.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import {
  addEntity,
  addMoment,
  createDraft,
  type ForeignFile,
  type ModelDraft,
  type ReadOptions,
  toFieldKeys,
  toName,
} from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { ForeignMap } from '../draft/foreign-map.ts';
import { isColumn, toColumn } from '../draft/foreign-sql.ts';
import type { PartLocation } from '../draft/losses.ts';
import type { Foreign } from '../draft/read-foreign.ts';
import type { DbtDimension, DbtKey, DbtModel, DbtScope, NamedMeasure } from './dbt-scope.ts';
import { joinDbtModels } from './join-dbt-models.ts';
import { type DbtColumn, readDbtDimension, readDbtKey, tellConfig } from './read-dbt-field.ts';
import { readDbtAggregate } from './read-dbt-measure.ts';
import { DbtMetricReader } from './read-dbt-metric.ts';

/** Keys of other parts of dbt's files, which do not affect numbers. */
const OTHER_KEYS = [
  ...['version', 'sources', 'seeds', 'snapshots', 'macros', 'analyses', 'exposures', 'groups', 'unit_tests'],
  ...['data_tests', 'functions', 'packages', 'projects', 'sha1_hash', 'selectors'],
];
/** Keys that the import reads. */
const OWN_KEYS = [
  ...['semantic_models', 'semantic_model', 'models', 'metrics', 'metric', 'saved_queries', 'saved_query'],
  'project_configuration',
];
/** Keys that identify the project's configuration: its `models` define how tables are built. */
const PROJECT_KEYS = ['config-version', 'model-paths', 'profile'];

/** Reads the semantic models and metrics of a dbt project, both from `semantic_models` and from `models`. */
export function readDbt(files: readonly ForeignFile[], { platform = 'duckdb' }: ReadOptions): ModelDraft {
  const draft = createDraft();
  const scope: DbtScope = {
    draft,
    platform,
    lexicalRules: DIALECTS[platform].lexicalRules,
    models: [],
    lostModels: [],
    measures: new Map(),
    metrics: new Map(),
  };
  const layer: LayerDocument = {
    name: 'dbt',
    environment: { platform },
    domains: [{ name: 'dbt', entities: [] }],
  };
  draft.layers.push(layer);
  for (const { root, losses } of files) {
    if (root.kind === 'map') readFile(new ForeignMap(root, 'the file', losses), layer, scope);
  }
  joinDbtModels(scope);
  new DbtMetricReader(scope).readAll();
  keepMeasures(scope);
  return draft;
}

function readFile(file: ForeignMap, layer: LayerDocument, scope: DbtScope): undefined {
  file.ignore(...OTHER_KEYS);
  const isProject = PROJECT_KEYS.some((key) => file.has(key));
  const isForeign = ![...OWN_KEYS, ...OTHER_KEYS].some((key) => file.has(key));
  if (isProject || isForeign) return file.drop(importMessages.noPart('dbt'));
  for (const map of listParts(file, 'semantic_model', 'a semantic model')) readOlder(map, layer, scope);
  for (const map of file.maps('models', 'a model')) {
    if (map.has('semantic_model')) readNewer(map, layer, scope);
    else if (map.has('metrics')) map.refuse('metrics', importMessages.missing('semantic_model'));
    if (map.any('time_spine') !== undefined) map.refuse('time_spine', importMessages.spine());
  }
  for (const map of listParts(file, 'metric', 'a metric')) addMetric(map, null, scope);
  const project = file.map('project_configuration', 'the project configuration');
  project?.ignore('dsi_package_version', 'metadata');
  project?.finish({
    time_spines: importMessages.spine(),
    time_spine_table_configurations: importMessages.spine(),
  });
  file.finish();
}

/** The parts that a file lists under the plural of a key, and the single part of a MetricFlow document. */
function listParts(file: ForeignMap, key: string, subject: string): readonly ForeignMap[] {
  const only = file.map(key, subject);
  return [...(only === undefined ? [] : [only]), ...file.maps(`${key}s`, subject)];
}

function addMetric(map: ForeignMap, model: DbtModel | null, { metrics }: DbtScope): undefined {
  const name = map.text('name');
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the metric ${name}`;
  if (metrics.has(name)) return map.drop(importMessages.otherName(name));
  if (isDisabled(map)) return map.drop(importMessages.disabled());
  metrics.set(name, { map, model });
}

function isDisabled(map: ForeignMap): boolean {
  const config = map.any('config');
  const enabled = config?.kind === 'map' ? config.entries.get('enabled')?.value : undefined;
  return enabled?.kind === 'scalar' && enabled.value === false;
}

/** A field with its column. */
interface FieldMap {
  readonly map: ForeignMap;
  readonly column: DbtColumn | null;
}

/** The parts that both formats of a semantic model share. */
interface ModelParts {
  readonly name: string;
  readonly table: DbtTable;
  readonly primaryEntity: string | undefined;
  readonly keys: readonly FieldMap[];
  readonly dimensions: readonly FieldMap[];
}

/** A separate semantic model, the format until dbt 1.11. */
function readOlder(map: ForeignMap, layer: LayerDocument, scope: DbtScope): undefined {
  const name = map.text('name');
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the semantic model ${name}`;
  if (isDisabled(map)) return map.drop(importMessages.disabled());
  const alone = (map: ForeignMap) => ({ map, column: null });
  const keys = map.maps('entities', 'an entity').map(alone);
  const table = readDbtTable(map, scope.lexicalRules);
  if (table === null) {
    scope.lostModels.push({ name, keys: readKeys(keys, scope).map(({ key }) => key) });
    return map.drop(importMessages.noTable(map.text('model') ?? ''), map.place('model'));
  }
  const parts = {
    name,
    table,
    primaryEntity: map.text('primary_entity'),
    keys,
    dimensions: map.maps('dimensions', 'a dimension').map(alone),
  };
  const model = addModel(map, parts, layer, scope);
  if (model === undefined) return;
  for (const measure of map.maps('measures', 'a measure')) addMeasure(measure, model, scope);
  const defaults = map.map('defaults', `\`defaults\` of ${map.subject}`);
  defaults?.finish({ agg_time_dimension: importMessages.noOwnTime() });
  map.finish();
}

function addMeasure(map: ForeignMap, model: DbtModel, scope: DbtScope): undefined {
  const name = map.text('name');
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the measure ${model.name}.${name}`;
  if (scope.measures.has(name)) return map.drop(importMessages.otherName(name));
  const measure = readDbtAggregate(map, name, model, scope);
  const isMetric = map.flag('create_metric') === true;
  scope.measures.set(name, { map, name, measure, isMetric, isUsed: false });
}

/** A semantic model inside a model, the format since dbt 1.12. */
function readNewer(map: ForeignMap, layer: LayerDocument, scope: DbtScope): undefined {
  const table = map.text('name');
  if (table === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the semantic model of ${table}`;
  const name = readSwitch(map);
  if (name === null) return map.drop(importMessages.disabled());
  const keys: FieldMap[] = [];
  const dimensions: FieldMap[] = [];
  for (const column of map.maps('columns', 'a column')) {
    const name = column.text('name');
    if (name === undefined) continue;
    const at: DbtColumn = {
      name,
      granularity: column.text('granularity'),
      type: column.text('data_type'),
      description: column.text('description'),
    };
    keys.push(...readAt(column, 'entity', at));
    dimensions.push(...readAt(column, 'dimension', at));
  }
  const derived = map.map('derived_semantics', `\`derived_semantics\` of ${map.subject}`);
  const alone = (map: ForeignMap) => ({ map, column: null });
  keys.push(...(derived?.maps('entities', 'an entity') ?? []).map(alone));
  dimensions.push(...(derived?.maps('dimensions', 'a dimension') ?? []).map(alone));
  derived?.finish();
  const parts = {
    name,
    table: { name: table, hasSchema: false },
    primaryEntity: map.text('primary_entity'),
    keys,
    dimensions,
  };
  const model = addModel(map, parts, layer, scope);
  if (model === undefined) return;
  for (const metric of map.maps('metrics', 'a metric')) addMetric(metric, model, scope);
  if (map.any('agg_time_dimension') !== undefined)
    map.refuse('agg_time_dimension', importMessages.noOwnTime());
}

/** The name of a semantic model inside a model; null if it is disabled. */
function readSwitch(map: ForeignMap): string | null {
  const table = present(map.text('name'));
  const value = map.any('semantic_model');
  if (value?.kind !== 'map') return value?.kind === 'scalar' && value.value === true ? table : null;
  const inner = new ForeignMap(value, map.subject, map.losses);
  const name = inner.text('name') ?? table;
  const isOff = inner.flag('enabled') === false;
  tellConfig(inner);
  inner.finish();
  return isOff ? null : name;
}

/** The field at a column: a map, or only its type. */
function readAt(column: ForeignMap, key: 'entity' | 'dimension', at: DbtColumn): readonly FieldMap[] {
  const value = column.any(key);
  if (value === undefined) return [];
  const entries: Extract<Foreign, { kind: 'map' }>['entries'] =
    value.kind === 'map' ? value.entries : new Map([['type', { span: value.span, value }]]);
  return [
    {
      map: new ForeignMap({ kind: 'map', span: value.span, entries }, `the ${key} ${at.name}`, column.losses),
      column: at,
    },
  ];
}

function addModel(
  map: ForeignMap,
  { name, table, primaryEntity, keys: keyMaps, dimensions: dimensionMaps }: ModelParts,
  layer: LayerDocument,
  scope: DbtScope,
): DbtModel | undefined {
  if (scope.models.some((model) => model.name === name)) return map.drop(importMessages.otherName(name));
  const read = readKeys(keyMaps, scope);
  const fields = dimensionMaps.map((dimension) => ({
    isPartition: dimension.map.flag('is_partition') === true,
    name: dimension.map.text('name') ?? dimension.column?.name ?? '',
    map: dimension.map,
    field: readDbtDimension(dimension.map, dimension.column, scope),
  }));
  const keys = read.map(({ key }) => key);
  const primary = keys.find(({ type }) => type === 'primary');
  const partitions = new Map(
    fields
      .filter(({ isPartition }) => isPartition)
      .map(({ name, field }) => [name, field?.dimension ?? null]),
  );
  const description = map.text('description');
  if (!table.hasSchema) map.approximate(importMessages.tableOfTarget(table.name));
  const { label } = toFieldKeys({ label: map.text('label') });
  const key = listKeyColumns(primary, [...partitions.values()], scope);
  const entity = addEntity(
    scope.draft,
    layer,
    {
      name: toName(name, map.origin),
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      table_name: table.name,
      ...(key === null ? {} : { x_primary_key: key }),
    },
    map.origin,
  );
  const dimensions = new Map<string, DbtDimension>();
  const add = (document: DimensionDocument | null, origin: PartLocation) => {
    if (document === null) return;
    entity.dimensions.push(document);
    scope.draft.origins.set(document, origin);
  };
  for (const { document, key } of read) add(document, key.origin);
  for (const { map, field } of fields) {
    if (field === undefined) continue;
    add(field.document, map.origin);
    dimensions.set(field.name, field.dimension);
    if (field.dimension.isTime) addMoment(scope.draft, entity, field.dimension.column);
  }
  tellConfig(map);
  const model = { name, entity, primaryEntity: primary?.name ?? primaryEntity, keys, dimensions, partitions };
  scope.models.push(model);
  return model;
}

function readKeys(maps: readonly FieldMap[], scope: DbtScope) {
  return maps.flatMap(({ map, column }) => readDbtKey(map, column, scope) ?? []);
}

/** The columns that identify rows: those of the primary entity and the partitions; null if some are not columns. */
function listKeyColumns(
  primary: DbtKey | undefined,
  partitions: readonly (DbtDimension | null)[],
  { lexicalRules }: DbtScope,
): string[] | null {
  if (primary === undefined || primary.error !== null) return null;
  const columns = [primary.expr, ...partitions.map((partition) => partition?.column ?? '')];
  return columns.every((column) => isColumn(column, lexicalRules)) ? columns : null;
}

/** In dbt, a measure without a metric cannot be queried, unless it is a metric itself. */
function keepMeasures({ measures, draft }: DbtScope): void {
  for (const named of measures.values()) keepMeasure(named, draft);
}

function keepMeasure({ map, name, measure, isMetric, isUsed }: NamedMeasure, draft: ModelDraft): void {
  if (typeof measure === 'string') {
    map.drop(measure);
    return;
  }
  const label = map.text('label');
  const description = map.text('description');
  tellConfig(map);
  map.finish();
  if (isUsed && !isMetric) return;
  const { aggregation, expr } = measure.aggregate;
  const document = {
    name: toName(name, map.origin),
    ...toFieldKeys({ label, description }),
    data_type: measure.type,
    ...(isMetric ? {} : { hidden: true }),
    expr,
    aggregation_type: aggregation,
  };
  measure.model.entity.measures.push(document);
  draft.origins.set(document, map.origin);
}

/** A table, and whether its schema is known. */
interface DbtTable {
  readonly name: string;
  readonly hasSchema: boolean;
}

/** The table of a semantic model, from `model` or from MetricFlow's `node_relation`; null without a table. */
function readDbtTable(map: ForeignMap, lexicalRules: LexicalRules): DbtTable | null {
  const relation = map.map('node_relation', `\`node_relation\` of ${map.subject}`);
  if (relation === undefined) {
    const name = readReference(map.text('model') ?? '');
    return name === null ? null : { name, hasSchema: false };
  }
  map.ignore('model');
  const alias = relation.text('alias');
  const parts = ['database', 'schema_name'].map((key) => relation.text(key));
  relation.ignore('relation_name');
  relation.finish();
  if (alias === undefined) return null;
  // The user who runs the project sets a schema such as `$source_schema`.
  const known = parts.filter((part): part is string => part !== undefined && part !== '');
  const isKnown = known.length > 0 && known.every((part) => !/[$*{}]/.test(part));
  const names = [...(isKnown ? known : []), alias].map((name) => toColumn(name, lexicalRules));
  return { name: names.join('.'), hasSchema: isKnown };
}

/** The table of `ref('orders')` or `source('shop', 'orders')`; null for anything else. */
function readReference(text: string): string | null {
  const call = /^\s*(?:\{\{)?\s*(ref|source)\s*\(([^()]*)\)\s*(?:\}\})?\s*$/.exec(text);
  if (call === null) return null;
  const args = [...elementAt(call, 2).matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
  const name = args.at(-1);
  if (name === undefined || !/^[\p{L}\p{N}_.]+$/u.test(name)) return null;
  return call[1] === 'source' && args.length > 1 ? `${args[0]}.${name}` : name;
}
