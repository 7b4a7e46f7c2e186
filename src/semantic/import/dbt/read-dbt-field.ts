import { present } from '../../../invariants/must.ts';
import type { DataType, Grain } from '../../model/model.ts';
import { GRAINS } from '../../model/model.ts';
import type { DimensionDocument } from '../../model/model-schema.ts';
import { toFieldKeys, toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import type { DbtDimension, DbtKey, DbtScope } from './dbt-scope.ts';
import { cutDate, cutMoment, findDbtSqlError } from './dbt-sql.ts';

/** What a column says about its field, in the newer format. */
export interface DbtColumn {
  readonly name: string;
  readonly granularity: string | undefined;
  readonly type: string | undefined;
  readonly description: string | undefined;
}

/** A field, and its name in filters. */
interface DbtField {
  readonly name: string;
  readonly document: DimensionDocument;
  readonly dimension: DbtDimension;
}

/** Reads a dimension of dbt; undefined, with a warning, if it is left out. */
export function readDbtDimension(
  map: ForeignMap,
  column: DbtColumn | null,
  scope: DbtScope,
): DbtField | undefined {
  const name = map.text('name') ?? column?.name;
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the dimension ${name}`;
  const expr = map.text('expr') ?? column?.name ?? name;
  const error = findDbtSqlError(expr, scope.lexicalRules);
  if (error !== null) return map.drop(error);
  const kind = map.text('type')?.toLowerCase();
  if (kind !== 'time' && kind !== 'categorical') return map.drop(importMessages.unknownType(kind ?? ''));
  const known = column?.type === undefined ? undefined : readColumnType(column.type);
  const read = kind === 'time' ? readTime(map, expr, { column, known }, scope) : readText(map, expr, known);
  if (read === undefined) return undefined;
  const texts = readTexts(map, column);
  tellConfig(map);
  map.finish();
  const document: DimensionDocument = {
    name: toName(name, map.origin),
    ...toFieldKeys(texts),
    data_type: read.type,
    expr: read.expr,
    ...(read.grains.length === 0 ? {} : { x_grains: [...read.grains] }),
  };
  const dimension = { expr: read.expr, column: expr, grain: read.grain, isTime: kind === 'time' };
  return { name, document, dimension };
}

/** The label and description of a field; the column's description is the default. */
function readTexts(map: ForeignMap, column: DbtColumn | null) {
  return { label: map.text('label'), description: map.text('description') ?? column?.description };
}

interface FieldReading {
  readonly expr: string;
  readonly type: DataType;
  readonly grain: Grain | null;
  readonly grains: readonly Grain[];
}

function readText(map: ForeignMap, expr: string, known: DataType | undefined): FieldReading {
  if (known === undefined) map.approximate(importMessages.assumedText());
  return { expr, type: known ?? 'TEXT', grain: null, grains: [] };
}

/** Units below a day, as DATE_TRUNC names them; null for units below the resolution of a DATETIME. */
const UNITS: Readonly<Record<string, string | null>> = {
  nanosecond: null,
  microsecond: null,
  millisecond: 'milliseconds',
  second: 'second',
  minute: 'minute',
  hour: 'hour',
};
/** Coarser grains that a grain can be truncated to. */
const COARSER: Readonly<Record<Grain, readonly Grain[]>> = {
  day: ['week', 'month', 'quarter', 'year'],
  week: ['month', 'quarter', 'year'],
  month: ['quarter', 'year'],
  quarter: ['year'],
  year: [],
};

interface TimeColumn {
  readonly column: DbtColumn | null;
  readonly known: DataType | undefined;
}

/** Times are truncated to their granularity, as in dbt. */
function readTime(
  map: ForeignMap,
  expr: string,
  { column, known }: TimeColumn,
  { platform }: DbtScope,
): FieldReading | undefined {
  const params = map.map('type_params', `\`type_params\` of ${map.subject}`);
  const declaredGrain = params?.text('time_granularity') ?? map.text('granularity') ?? column?.granularity;
  params?.finish();
  const granularity = declaredGrain?.toLowerCase() ?? 'day';
  const grain = GRAINS.find((candidate) => candidate === granularity);
  if (grain !== undefined) {
    const isDay = grain === 'day' && known === 'DATE';
    const cut = isDay ? expr : cutDate(expr, grain, platform);
    return { expr: cut, type: 'DATE', grain, grains: COARSER[grain] };
  }
  if (!Object.hasOwn(UNITS, granularity)) return map.drop(importMessages.unknownType(granularity));
  const unit = present(UNITS[granularity]);
  const cut = unit === null ? expr : cutMoment(expr, unit, platform);
  if (cut === null) return map.drop(importMessages.platformSql(`the granularity ${granularity}`, platform));
  return { expr: cut, type: 'DATETIME', grain: null, grains: ['day', ...COARSER.day] };
}

const COLUMN_TYPES: readonly (readonly [RegExp, DataType])[] = [
  [/^(date)$/, 'DATE'],
  [/^(timestamp|datetime)/, 'DATETIME'],
  [/^bool/, 'BOOLEAN'],
  [/^(big|small|tiny|huge|u)?int/, 'INTEGER'],
  [/^(decimal|numeric|bignumeric)/, 'DECIMAL'],
  [/^(float|double|real)/, 'FLOAT'],
  [/^number/, 'NUMBER'],
  [/char|text|string|uuid/, 'TEXT'],
];

/** The type of a warehouse column, if it is known. */
function readColumnType(text: string): DataType | undefined {
  return COLUMN_TYPES.find(([form]) => form.test(text.trim().toLowerCase()))?.[1];
}

const KEY_TYPES = ['primary', 'unique', 'foreign', 'natural'] as const;

/** A key of a semantic model; `document` is undefined if it is not a dimension. */
interface DbtKeyReading {
  readonly key: DbtKey;
  readonly document: DimensionDocument | null;
}

/** Reads an entity of dbt, which joins models and groups queries; undefined, with a warning, if it is not valid. */
export function readDbtKey(
  map: ForeignMap,
  column: DbtColumn | null,
  scope: DbtScope,
): DbtKeyReading | undefined {
  const name = map.text('name') ?? column?.name;
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the entity ${name}`;
  const expr = map.text('expr') ?? column?.name ?? name;
  const kind = map.text('type')?.toLowerCase();
  const type = KEY_TYPES.find((candidate) => candidate === kind);
  if (type === undefined) return map.drop(importMessages.unknownType(kind ?? ''));
  const error = type === 'natural' ? importMessages.naturalKey() : findDbtSqlError(expr, scope.lexicalRules);
  if (error !== null) {
    map.drop(error);
    return { key: { name, type, expr, origin: map.origin, error }, document: null };
  }
  const known = column?.type === undefined ? undefined : readColumnType(column.type);
  const texts = readTexts(map, column);
  const read = readText(map, expr, known);
  tellConfig(map);
  map.finish();
  const dimensionName = toName(name, map.origin);
  const document: DimensionDocument = {
    name: dimensionName,
    ...toFieldKeys(texts),
    data_type: read.type,
    expr,
  };
  return { key: { name, type, expr, origin: map.origin, error }, document };
}

/** Reports the `config` of a part. */
export function tellConfig(map: ForeignMap): void {
  const config = map.map('config', `\`config\` of ${map.subject}`);
  config?.ignore('enabled');
  config?.finish();
}
