import { createLiteral, createNull } from '../expression/create-expression.ts';
import type { Expression } from '../expression/expression.ts';
import type { ResultColumn, Statement } from '../expression/statement.ts';
import type { AskedModel } from '../model/index/index-model.ts';
import type { DataType, Model } from '../model/model.ts';
import type { NameSyntax } from '../syntax/syntax.ts';
import { type DescribedField, listDescribed } from './list-described.ts';

/** The values of one row, in column order. */
type Row = readonly (string | number | null)[];

/** A statement of literal rows. Numbers are INTEGER, everything else is TEXT. */
export function createRows(names: readonly string[], rows: readonly Row[]): Statement {
  const types = names.map((_, at): DataType => {
    return rows.some((row) => typeof row[at] === 'number') ? 'INTEGER' : 'TEXT';
  });
  const columns = names.map((name, at): ResultColumn => {
    return { name, dataType: types[at] ?? 'TEXT', nullable: true, isNull: false, measure: null };
  });
  const values = rows.map((row) => row.map((value, at) => toValue(value, types[at] ?? 'TEXT')));
  return { columns, body: { kind: 'values', rows: values } };
}

function toValue(value: string | number | null, dataType: DataType): Expression<never> {
  if (value === null) return createNull(dataType);
  const type = dataType === 'INTEGER' ? 'number' : 'text';
  return createLiteral({ kind: 'literal', type, text: String(value) }, dataType);
}

/**
 * The `information_schema` tables of a model (docs/reference/semantic-sql.md#what-a-model-has); null for any other
 * name.
 */
export function describeTable(asked: AskedModel, names: readonly NameSyntax[]): Statement | null {
  const [schema, table, ...others] = names.slice(-2);
  if (schema?.text !== 'information_schema' || table === undefined || others.length > 0) return null;
  if (table.text === 'tables') return describeTables(asked.model);
  return table.text === 'columns' ? describeColumns(asked) : null;
}

const PLACE = ['table_catalog', 'table_schema', 'table_name'];

function describeTables({ layers }: Model): Statement {
  const rows = layers.flatMap((layer) =>
    layer.domains.flatMap((domain) =>
      domain.entities.map(({ name, description }): Row => {
        return [layer.name, domain.name, name, 'BASE TABLE', 'entity', description ?? null];
      }),
    ),
  );
  return createRows([...PLACE, 'table_type', 'kind', 'description'], rows);
}

/** The names of types in PostgreSQL. */
const TYPE_NAMES: Readonly<Record<DataType, string>> = {
  TEXT: 'text',
  INTEGER: 'bigint',
  NUMBER: 'numeric',
  DECIMAL: 'numeric',
  FLOAT: 'double precision',
  DATE: 'date',
  DATETIME: 'timestamp without time zone',
  BOOLEAN: 'boolean',
};

function describeColumns(asked: AskedModel): Statement {
  const rows = listDescribed(asked).map((field): Row => {
    const { layer, domain, entity, name, at, kind, dataType, path, description } = field;
    return [layer, domain, entity, name, at, 'YES', TYPE_NAMES[dataType], kind, path, description];
  });
  const names = [
    'column_name',
    'ordinal_position',
    'is_nullable',
    'data_type',
    'kind',
    'path',
    'description',
  ];
  return createRows([...PLACE, ...names], rows);
}

/** The rows of SHOW ENTITIES. */
export function describeEntities({ layers }: Model): Statement {
  const rows = layers.flatMap((layer) =>
    layer.domains.flatMap((domain) =>
      domain.entities.map(
        ({ name, description }): Row => [name, domain.name, layer.name, description ?? null],
      ),
    ),
  );
  return createRows(['entity', 'domain', 'layer', 'description'], rows);
}

/** The rows of SHOW FIELDS for one entity, or for all. */
export function describeFields(asked: AskedModel, entity: string | null): Statement {
  const rows = listDescribed(asked, entity).map((field: DescribedField): Row => {
    return [field.entity, field.name, field.kind, field.dataType, field.path, field.description];
  });
  return createRows(['entity', 'field', 'kind', 'data_type', 'path', 'description'], rows);
}
