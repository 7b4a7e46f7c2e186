import { createRequire } from 'node:module';
import type { SemanticFilter, SemanticQuery } from '../../src/semantic/query/query.ts';
import { aggregationOf, DIMENSIONS, isDate, MEASURES, type WarehouseEntity } from '../warehouse.ts';

/** The used part of the package, which must be installed by hand. */
interface Cube {
  prepareCompiler(repository: object, options: object): { readonly compiler: { compile(): Promise<void> } };
  readonly PostgresQuery: new (
    compilers: object,
    question: object,
  ) => { buildSqlAndParams(): readonly [sql: string, params: readonly unknown[]] };
}

/** Cube's schema compiler with the entities as cubes, and the SQL of its JavaScript planner for a semantic query. */
export async function openCube(
  entities: readonly WarehouseEntity[],
): Promise<(query: SemanticQuery) => string> {
  process.env.CUBEJS_TESSERACT_SQL_PLANNER = 'false';
  const load = createRequire(import.meta.url);
  const { prepareCompiler, PostgresQuery }: Cube = load('@cubejs-backend/schema-compiler');
  const content = entities.map(printCube).join('\n');
  const repository = {
    localPath: () => '/',
    dataSchemaFiles: async () => [{ fileName: 'warehouse.js', content }],
  };
  // The native part reads only templates, and this model has no templates.
  const compilers = prepareCompiler(repository, { nativeInstance: { newJinjaEngine: () => undefined } });
  await compilers.compiler.compile();
  return (query) => new PostgresQuery(compilers, toQuestion(query)).buildSqlAndParams()[0];
}

function printCube({ name, up }: WarehouseEntity): string {
  const joins =
    up === null ? '' : `${up}: { relationship: 'many_to_one', sql: \`\${CUBE}.up_id = \${${up}}.id\` }`;
  const dimensions = Array.from({ length: DIMENSIONS }, (_, i) => {
    return `dimension_${i}: { sql: 'column_${i}', type: '${isDate(i) ? 'time' : 'string'}' }`;
  });
  const measures = Array.from({ length: MEASURES }, (_, i) => {
    return `measure_${i}: { sql: 'amount_${i}', type: '${aggregationOf(i).toLowerCase()}' }`;
  });
  return `cube('${name}', {
    sql_table: 'warehouse.${name}',
    joins: { ${joins} },
    dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, ${dimensions.join(', ')} },
    measures: { ${measures.join(', ')} },
  });`;
}

const toMember = ({ entity, field }: { readonly entity: string; readonly field: string }) =>
  `${entity}.${field}`;

function toQuestion({ dimensions, measures, filters, orderBy, limit }: SemanticQuery): object {
  return {
    dimensions: dimensions.map(toMember),
    measures: measures.map(toMember),
    filters: filters.map(toFilter),
    order: orderBy.map(({ field, desc }) => ({ id: toMember(field), desc })),
    rowLimit: limit?.fetch,
    timezone: 'UTC',
  };
}

function toFilter(filter: SemanticFilter): object {
  if (filter.type !== 'CONDITION') throw new Error('only conditions are asked');
  const { field, operator } = filter;
  if ('values' in operator) return { member: toMember(field), operator: 'equals', values: operator.values };
  if ('value' in operator)
    return { member: toMember(field), operator: 'afterDate', values: [operator.value] };
  throw new Error('only values are compared');
}
