import { createRequire } from 'node:module';
import type { FieldRef, SemanticFilter, SemanticQuery } from '../../src/semantic/query/query.ts';
import { aggregationOf, DIMENSIONS, isDate, MEASURES, type WarehouseEntity } from '../warehouse.ts';

/** The used part of the package, which must be installed by hand. */
interface Malloy {
  readonly SingleConnectionRuntime: new (options: {
    readonly connection: object;
  }) => { loadModel(text: string): Model };
}

interface Model {
  getModel(): Promise<unknown>;
  loadQuery(text: string): {
    getSQL(): Promise<string>;
    getPreparedQuery(): Promise<{ getPreparedResult(): { readonly sql: string } }>;
  };
}

interface MalloyCompiler {
  /** The SQL of a semantic query, which is first written in Malloy's language. */
  compile(query: SemanticQuery): Promise<string>;
  /** The SQL of a parsed query; each call compiles it again. */
  prepare(query: SemanticQuery): Promise<() => string>;
}

/** Malloy's compiler with the entities as sources. */
export async function openMalloy(entities: readonly WarehouseEntity[]): Promise<MalloyCompiler> {
  const { SingleConnectionRuntime }: Malloy = createRequire(import.meta.url)('@malloydata/malloy');
  const model = new SingleConnectionRuntime({ connection: CONNECTION }).loadModel(
    entities.map(printSource).join('\n'),
  );
  await model.getModel();
  return {
    compile: (query) => model.loadQuery(printQuery(query, entities)).getSQL(),
    async prepare(query) {
      const prepared = await model.loadQuery(printQuery(query, entities)).getPreparedQuery();
      return () => prepared.getPreparedResult().sql;
    },
  };
}

const FIELDS = [
  ...['id', 'up_id'].map((name) => ({ name, type: 'number', numberType: 'integer' })),
  ...Array.from({ length: DIMENSIONS }, (_, i) => ({
    name: `column_${i}`,
    type: isDate(i) ? 'date' : 'string',
  })),
  ...Array.from({ length: MEASURES }, (_, i) => ({
    name: `amount_${i}`,
    type: 'number',
    numberType: 'float',
  })),
];

/** A database that only lists the columns of its tables. */
const CONNECTION = {
  name: 'warehouse',
  dialectName: 'duckdb',
  getDigest: async () => 'warehouse',
  async fetchSchemaForTables(tables: Readonly<Record<string, string>>) {
    const schemas = Object.entries(tables).map(([key, name]) => {
      const place = { name, tablePath: name, dialect: 'duckdb', connection: 'warehouse' };
      return [key, { type: 'table', ...place, fields: FIELDS }] as const;
    });
    return { errors: {}, schemas: Object.fromEntries(schemas) };
  },
};

function printSource({ name, up }: WarehouseEntity): string {
  const dimensions = Array.from({ length: DIMENSIONS }, (_, i) => `dimension_${i} is column_${i}`);
  const measures = Array.from({ length: MEASURES }, (_, i) => {
    return `measure_${i} is ${aggregationOf(i) === 'SUM' ? `amount_${i}.sum()` : `max(amount_${i})`}`;
  });
  return `source: ${name} is warehouse.table('warehouse.${name}') extend {
  primary_key: id
  ${up === null ? '' : `join_one: ${up} on up_id = ${up}.id`}
  dimension: ${dimensions.join('\n')}
  measure: ${measures.join('\n')}
}`;
}

function printQuery(query: SemanticQuery, entities: readonly WarehouseEntity[]): string {
  const { dimensions, measures, filters, orderBy, limit } = query;
  const root = measures[0]!.entity;
  const print = (ref: FieldRef) => [...listSteps(root, ref.entity, entities), ref.field].join('.');
  return `run: ${root} -> {
  group_by: ${dimensions.map((ref) => `${ref.alias} is ${print(ref)}`).join('\n')}
  aggregate: ${measures.map(print).join('\n')}
  where: ${filters.map((filter) => printFilter(filter, print)).join(',\n')}
  order_by: ${orderBy.map(({ field, desc }) => `${field.field} ${desc ? 'desc' : 'asc'}`).join(', ')}
  limit: ${limit?.fetch}
}`;
}

/** The joins from one entity up to another. */
function listSteps(from: string, to: string, entities: readonly WarehouseEntity[]): readonly string[] {
  if (from === to) return [];
  const up = entities.find(({ name }) => name === from)?.up;
  if (up == null) throw new Error(`${to} is not above`);
  return [up, ...listSteps(up, to, entities)];
}

function printFilter(filter: SemanticFilter, print: (ref: FieldRef) => string): string {
  if (filter.type !== 'CONDITION') throw new Error('only conditions are asked');
  const { field, operator } = filter;
  if ('values' in operator) {
    return `${print(field)} = ${operator.values.map((value) => `'${value}'`).join(' | ')}`;
  }
  if ('value' in operator) return `${print(field)} > @${operator.value}`;
  throw new Error('only values are compared');
}
