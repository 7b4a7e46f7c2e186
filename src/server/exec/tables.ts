import { type Static, Type } from 'typebox';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import type { MetadataBody } from '../../semantic/metadata/metadata-body.ts';
import { printAllColumnsQuery } from '../../workspace/api/schema-queries.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { defineFields } from '../fields/define-fields.ts';
import { filledText } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { askDatabase } from './ask-database.ts';

/** Maximum tables and columns of a response. */
const MAX_TABLES = 2_000;
const MAX_COLUMNS = 50_000;

const TablesSchema = Type.Object(
  {
    data: Type.Immutable(
      Type.Array(
        Type.Object(
          {
            schema: Type.String({ description: 'Empty for an entity of a semantic model' }),
            name: Type.String(),
            kind: Type.Enum(['table', 'view']),
            columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
          },
          { title: 'Table' },
        ),
      ),
    ),
    omitted: Type.Integer({ minimum: 0, description: 'Number of further tables' }),
  },
  { title: 'TableList' },
);
export type TableListResponse = Static<typeof TablesSchema>;
type Table = TableListResponse['data'][number];

const query = defineFields({
  q: filledText(
    'Q',
    Type.String({
      description: 'Part of the name of a table, ignoring case; `omitted` counts only such tables',
    }),
  ),
});

/** `GET /manage/connections/{name}/tables`: for the completion of editors; needs USE on the connection. */
export function addTables(app: App, { connections, semantic }: Instance, executions: Executions): void {
  const schema = {
    tags: ['connections'],
    summary: 'List the tables of a connection',
    operationId: 'listTables',
    scope: 'read',
    description:
      'Lists the tables and views of a connection with their columns, or the entities and fields of a semantic model, for example for completion. Lists at most 2,000 tables and 50,000 columns.',
    example: { parameters: { name: 'duckdb' } },
    params: Type.Object({ name: Type.String() }),
    querystring: query.schema,
    response: { 200: TablesSchema, ...listFailures(400, 403, 404, 422, 502, 504) },
  };
  app.get('/manage/connections/:name/tables', { schema }, async (request, reply) => {
    const { name } = request.params;
    const { q } = query.read(request.query);
    const { kind } = connections.get(request.principal, name);
    if (kind === 'semantic') {
      const metadata = await semantic.metadata(request.principal, { kind: 'connection', name });
      return listEntities(metadata, q);
    }
    // One more row than the maximum, to know whether the last table is complete.
    const text = printAllColumnsQuery(MAX_COLUMNS + 1, q !== undefined);
    const params = q === undefined ? {} : { q: printLiteral(q, kind) };
    return toTables(
      await askDatabase<Row>(executions, request, reply, { connection: name, name: 'tables', text, params }),
    );
  });
}

/** Prints a text as the kind of database reads it in SQL. */
function printLiteral(value: string, kind: string): string {
  const dialect = Object.values(SQL_DIALECT).find(({ name }) => name === kind) ?? SQL_DIALECT.duckdb;
  return dialect.quoteText(value);
}

/** A column: its schema, table, kind of table, name and type, and the number of all tables. */
type Row = readonly [string, string, string, string | null, string | null, number];

function toTables(rows: readonly Row[]): TableListResponse {
  const tables = new Map<string, Table>();
  for (const [schema, name, type, column, columnType] of rows) {
    const key = JSON.stringify([schema, name]);
    const table = tables.get(key) ?? {
      schema,
      name,
      kind: /view/i.test(type) ? 'view' : 'table',
      columns: [],
    };
    tables.set(key, table);
    if (column !== null) table.columns.push({ name: column, type: columnType ?? '' });
  }
  const all = [...tables.values()];
  const complete = rows.length > MAX_COLUMNS ? all.slice(0, -1) : all;
  const data = complete.slice(0, MAX_TABLES);
  return { data, omitted: Math.max(0, Number(rows[0]?.[5] ?? 0) - data.length) };
}

/** The entities of a semantic model with the fields that queries can use, as tables. */
function listEntities(metadata: Uint8Array, q = ''): TableListResponse {
  const { layers }: MetadataBody = JSON.parse(Buffer.from(metadata).toString('utf8'));
  const all = layers
    .flatMap(({ domains }) => domains)
    .flatMap(({ entities }) => entities)
    .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  const data: Table[] = [];
  let columns = 0;
  for (const { name, dimensions, measures } of all.slice(0, MAX_TABLES)) {
    const fields = [...dimensions, ...measures].filter(({ hidden }) => !hidden);
    columns += fields.length;
    if (columns > MAX_COLUMNS) break;
    const columnEntries = fields.map((field) => ({ name: field.name, type: field.data_type }));
    data.push({ schema: '', name, kind: 'table', columns: columnEntries });
  }
  return { data, omitted: all.length - data.length };
}
