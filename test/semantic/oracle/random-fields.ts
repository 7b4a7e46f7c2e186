import type { AggregationType, DataType, Grain, MeasureType } from '../../../src/semantic/model/model.ts';
import { type Condition, column, type Expression, literal } from './expression.ts';
import { toFraction } from './fraction.ts';
import type { Random } from './random.ts';
import type { Custom, DimensionDef, MeasureDef } from './world.ts';

const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];

const number = (value: number) => literal('INTEGER', toFraction(value));
const TWO_AND_A_HALF = literal('DECIMAL', toFraction(250n, 100n));

/** Columns and expressions over them, by type. With joins, every expression that is not a plain name is isolated. */
const OF_TYPE: Readonly<Record<DataType, readonly Expression[]>> = {
  TEXT: [
    column('name'),
    column('name'),
    { kind: 'upper', of: column('name') },
    { kind: 'coalesce', of: column('name'), otherwise: literal('TEXT', "it's none") },
    {
      kind: 'case',
      when: { kind: 'compare', op: '>', left: column('qty'), right: number(1) },
      result: literal('TEXT', 'many -- not "name"'),
      otherwise: literal('TEXT', 'few'),
    },
  ],
  INTEGER: [
    column('qty'),
    column('qty'),
    column('part'),
    column('orders'),
    { kind: 'arithmetic', op: '+', left: column('qty'), right: number(1) },
    { kind: 'coalesce', of: column('qty'), otherwise: number(0) },
  ],
  NUMBER: [column('amount'), column('qty')],
  DECIMAL: [
    column('amount'),
    column('Unit Price'),
    { kind: 'arithmetic', op: '*', left: column('amount'), right: column('qty') },
    { kind: 'arithmetic', op: '-', left: column('amount'), right: column('Unit Price') },
    { kind: 'coalesce', of: column('amount'), otherwise: TWO_AND_A_HALF },
  ],
  FLOAT: [column('rate'), { kind: 'arithmetic', op: '*', left: column('rate'), right: column('rate') }],
  DATE: [column('day')],
  DATETIME: [column('moment')],
  BOOLEAN: [
    column('flag'),
    column('flag'),
    {
      kind: 'test',
      of: {
        kind: 'or',
        parts: [
          { kind: 'compare', op: '>', left: column('qty'), right: number(1) },
          { kind: 'is null', of: column('name') },
        ],
      },
    },
  ],
};

const FILTERS: readonly Condition[] = [
  { kind: 'compare', op: '>', left: column('qty'), right: number(0) },
  { kind: 'is null', of: column('day') },
  {
    kind: 'or',
    parts: [
      { kind: 'compare', op: '<', left: column('amount'), right: TWO_AND_A_HALF },
      { kind: 'is not null', of: column('name') },
    ],
  },
];

function createCustom(random: Random): Custom {
  const some = () => random.pick([column('amount'), column('Unit Price'), OF_TYPE.DECIMAL[2]!]);
  return random.pick<() => Custom>([
    () => ({ kind: 'ratio', over: some(), under: random.chance(0.5) ? null : column('qty') }),
    () => ({ kind: 'span', of: some() }),
    () => ({ kind: 'tally', of: some() }),
    () => ({ kind: 'difference', left: some(), right: some() }),
  ])();
}

const AGGREGATIONS: readonly AggregationType[] = [
  'SUM',
  'SUM',
  'SUM',
  'COUNT',
  'COUNT_DISTINCT',
  'AVG',
  'MIN',
  'MAX',
  'MEDIAN',
  'CUSTOM',
];

const NUMERIC: readonly MeasureType[] = ['INTEGER', 'NUMBER', 'DECIMAL', 'DECIMAL', 'FLOAT'];

/** The type of the result. */
function resultType(aggregation: AggregationType, argument: DataType): MeasureType {
  if (aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT') return 'INTEGER';
  if (aggregation === 'AVG' || aggregation === 'MEDIAN')
    return argument === 'INTEGER' ? 'NUMBER' : (argument as MeasureType);
  return argument as MeasureType;
}

function createMeasure(name: string, random: Random): MeasureDef {
  const aggregation = random.pick(AGGREGATIONS);
  const filter = random.chance(0.2) ? random.pick(FILTERS) : null;
  if (aggregation === 'CUSTOM') {
    const custom = createCustom(random);
    return { name, type: 'DECIMAL', aggregation, argumentType: 'DECIMAL', argument: null, filter, custom };
  }
  const counts = aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT';
  const argumentType: DataType = counts
    ? random.pick<DataType>(['TEXT', 'INTEGER', 'DATE', 'DECIMAL', 'BOOLEAN', 'FLOAT'])
    : random.pick(NUMERIC);
  const argument = aggregation === 'COUNT' && random.chance(0.5) ? null : random.pick(OF_TYPE[argumentType]);
  const type = resultType(aggregation, argumentType);
  return { name, type, aggregation, argumentType, argument, filter, custom: null };
}

/** A dimension with a unique name, or with the name of another column. */
function createDimension(name: string, entity: string, random: Random): DimensionDef {
  const type = random.pick<DataType>([
    'TEXT',
    'TEXT',
    'TEXT',
    'INTEGER',
    'NUMBER',
    'DECIMAL',
    'FLOAT',
    'DATE',
    'DATE',
    'DATETIME',
    'BOOLEAN',
  ]);
  const written = random.pick(OF_TYPE[type]);
  const isBare = written.kind !== 'column' || random.chance(0.9);
  const named = isBare ? written : column(written.name, entity);
  const expression: Expression = random.chance(0.04) ? { kind: 'commented', of: named } : named;
  const isTime = type === 'DATE' || type === 'DATETIME';
  const grain = isTime && random.chance(0.6) ? random.pick(GRAINS) : null;
  return {
    name,
    type: grain === null ? type : 'DATE',
    expression,
    grain,
    cutsMoment: type === 'DATETIME',
    caseSensitive: type === 'TEXT' && random.chance(0.3),
  };
}

/** Fields of an entity. Some have the names of columns, and two dimensions can be the same. */
export function createFields(entity: string, random: Random) {
  const own = random.sample(['qty', 'amount', 'name', 'day', 'id'], 3);
  const others = Array.from({ length: 8 }, (_, at) => `${entity.toLowerCase()}_f${at}`);
  const [first, second, third] = own as [string, string, string];
  const dimensions = [first, second, ...others.slice(0, 3)].map((name) =>
    createDimension(name, entity, random),
  );
  if (random.chance(0.15)) dimensions.push({ ...random.pick(dimensions), name: `${first} again` });
  const measures = [third, ...others.slice(3)].map((name) => createMeasure(name, random));
  return { dimensions, measures };
}
