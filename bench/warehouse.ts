import type { Source } from '../src/engine/text/source.ts';
import type { FieldRef, SemanticQuery } from '../src/semantic/query/query.ts';

// The model of the benchmarks that compile: 200 entities in a tree, 5,000 fields.
const ENTITIES = 200;
/** The number of dimensions and measures of each entity. */
export const DIMENSIONS = 15;
export const MEASURES = 10;

/** An entity that is many to one of `up`; the names of its fields have numbers. */
export interface WarehouseEntity {
  readonly name: string;
  readonly up: string | null;
}

/** Entity `at` is many to one of `at >> 1`. */
export const WAREHOUSE: readonly WarehouseEntity[] = Array.from({ length: ENTITIES }, (_, at) => ({
  name: `entity_${at}`,
  up: at === 0 ? null : `entity_${at >> 1}`,
}));

/** Whether dimension `i` is a date; the others are strings. */
export function isDate(i: number): boolean {
  return i % 3 === 0;
}

/** How measure `i` is aggregated. */
export function aggregationOf(i: number): 'SUM' | 'MAX' {
  return i % 2 === 0 ? 'SUM' : 'MAX';
}

/** One of the dimensions of entity `at`. */
export function dimensionOf(at: number, i: number): FieldRef {
  return { entity: `entity_${at}`, field: `dimension_${i}` };
}

/** Five measures of one entity and five dimensions above it over six joins, with two filters; one compares with `text`. */
export function createQuestion(text: string): SemanticQuery {
  return {
    dimensions: [100, 50, 25, 12, 6].map((at) => ({ ...dimensionOf(at, 1), alias: `name_${at}` })),
    measures: Array.from({ length: 5 }, (_, i) => ({ entity: 'entity_100', field: `measure_${i}` })),
    filters: [
      { type: 'CONDITION', field: dimensionOf(3, 0), operator: { type: 'AFTER_DATE', value: '2024-01-31' } },
      { type: 'CONDITION', field: dimensionOf(1, 1), operator: { type: 'EQUALS', values: [text, 'b'] } },
    ],
    orderBy: [{ field: { entity: 'entity_100', field: 'measure_0' }, desc: true }],
    limit: { fetch: 100, skip: 0 },
  };
}

/** A file of the model with some of its entities. */
export function printModel(entities: readonly WarehouseEntity[], name = 'warehouse.yaml'): Source {
  return { name, text: HEAD + entities.map(printEntity).join('') };
}

const HEAD = `version: "1.0"
layers:
- name: layer
  environment: { platform: duckdb }
  domains:
  - name: domain
    entities:
`;

function printEntity({ name, up }: WarehouseEntity): string {
  const dimensions = Array.from({ length: DIMENSIONS }, (_, i) => {
    return `{ name: dimension_${i}, data_type: ${isDate(i) ? 'DATE' : 'TEXT'}, expr: column_${i} }`;
  });
  const measures = Array.from({ length: MEASURES }, (_, i) => {
    return `{ name: measure_${i}, data_type: DECIMAL, aggregation_type: ${aggregationOf(i)}, expr: amount_${i} }`;
  });
  const relationships =
    up === null
      ? []
      : [`{ name: up, join_type: MANY_TO_ONE, to_entity: ${up}, expr: "${name}.up_id = ${up}.id" }`];
  const lists = Object.entries({ dimensions, measures, relationships }).filter(
    ([, items]) => items.length > 0,
  );
  const lines = lists.flatMap(([key, items]) => [`${key}:`, ...items.map((item) => `- ${item}`)]);
  const own = [`table_name: warehouse.${name}`, 'x_primary_key: [id]', ...lines];
  return [`    - name: ${name}`, ...own.map((line) => `      ${line}`), ''].join('\n');
}
