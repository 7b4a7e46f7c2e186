import { entryOf } from '../../invariants/must.ts';
import { SemanticError } from '../errors.ts';
import { createLiteral, createNull } from '../expression/create-expression.ts';
import type { TypedExpression } from '../expression/expression.ts';
import type { ResultStatement, StatementColumn } from '../expression/statement.ts';
import type { AskedModel, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findToOnePath } from '../model/index/join-path.ts';
import type { DataType, Model } from '../model/model.ts';
import type { NameSyntax } from '../syntax/syntax.ts';

/** The values of one row, in column order. */
type Row = readonly (string | number | null)[];

/** A statement of literal rows. Numbers are INTEGER, everything else is TEXT. */
export function createRows(names: readonly string[], rows: readonly Row[]): ResultStatement {
  const types = names.map((_, at): DataType => {
    return rows.some((row) => typeof row[at] === 'number') ? 'INTEGER' : 'TEXT';
  });
  const columns = names.map((name, at): StatementColumn => {
    return { name, dataType: types[at] ?? 'TEXT', nullable: true, isNull: false, measure: null };
  });
  const values = rows.map((row) => row.map((value, at) => toValue(value, types[at] ?? 'TEXT')));
  return { columns, body: { kind: 'values', rows: values } };
}

function toValue(value: string | number | null, dataType: DataType): TypedExpression<never> {
  if (value === null) return createNull(dataType);
  const type = dataType === 'INTEGER' ? 'number' : 'text';
  return createLiteral({ kind: 'literal', type, text: String(value) }, dataType);
}

/**
 * The `information_schema` tables of a model (docs/reference/semantic-sql.md#what-a-model-has); null for any other
 * name.
 */
export function describeTable(asked: AskedModel, names: readonly NameSyntax[]): ResultStatement | null {
  const [schema, table, ...others] = names.slice(-2);
  if (schema?.text !== 'information_schema' || table === undefined || others.length > 0) return null;
  if (table.text === 'tables') return describeTables(asked.model);
  return table.text === 'columns' ? describeColumns(asked) : null;
}

const PLACE = ['table_catalog', 'table_schema', 'table_name'];

function describeTables({ layers }: Model): ResultStatement {
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

function describeColumns(asked: AskedModel): ResultStatement {
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
export function describeEntities({ layers }: Model): ResultStatement {
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
export function describeFields(asked: AskedModel, entity: string | null): ResultStatement {
  const rows = listDescribed(asked, entity).map((field: DescribedField): Row => {
    return [field.entity, field.name, field.kind, field.dataType, field.path, field.description];
  });
  return createRows(['entity', 'field', 'kind', 'data_type', 'path', 'description'], rows);
}

/** A field as a column of an entity in Semantic SQL. */
interface DescribedField {
  readonly layer: string;
  readonly domain: string;
  readonly entity: string;
  /** The name of the field; for a field of a related entity: the path, a dot and the name of the field. */
  readonly name: string;
  /** The position among the columns of the entity, from 1. */
  readonly at: number;
  readonly kind: 'dimension' | 'measure';
  readonly dataType: DataType;
  /** The path to the entity that owns the field; null for the entity's own fields. */
  readonly path: string | null;
  readonly description: string | null;
}

/** Lists the columns of one entity or of all: its own fields and those reached over to-one relationships. */
function listDescribed(
  { model, index }: AskedModel,
  entity: string | null = null,
): readonly DescribedField[] {
  return model.layers.flatMap((layer) =>
    layer.domains.flatMap((domain) =>
      domain.entities
        .filter(({ name }) => entity === null || name === entity)
        .flatMap(({ name }) => {
          const parents = { layer: layer.name, domain: domain.name, entity: name };
          const indexed = entryOf(index.entities, name);
          const all = [...listOwn(indexed), ...listReached(index, indexed)];
          return all.map((field, at) => ({ ...parents, ...field, at: at + 1 }));
        }),
    ),
  );
}

type Field = Omit<DescribedField, 'layer' | 'domain' | 'entity' | 'at'>;

function listOwn({ dimensions, measures }: IndexedEntity): readonly Field[] {
  return [
    ...listDimensions(dimensions, null),
    ...[...measures.values()].map(({ name, dataType, description }): Field => {
      return { name, kind: 'measure', dataType, path: null, description: description ?? null };
    }),
  ];
}

function listDimensions(dimensions: IndexedEntity['dimensions'], path: string | null): readonly Field[] {
  return [...dimensions.values()].map(({ dimension: { name, dataType, description } }): Field => {
    const written = path === null ? name : `${path}.${name}`;
    return { name: written, kind: 'dimension', dataType, path, description: description ?? null };
  });
}

/** Uses the entity's name if only one path leads to it, otherwise the relationship names. */
function listReached(index: ModelIndex, from: IndexedEntity): readonly Field[] {
  return [...index.entities.values()].flatMap((to) => {
    if (to === from) return listRoles(from, to);
    const path = findToOnePath(index, from, to);
    if (path === null) return [];
    return path instanceof SemanticError
      ? listRoles(from, to)
      : listDimensions(to.dimensions, to.entity.name);
  });
}

function listRoles(from: IndexedEntity, to: IndexedEntity): readonly Field[] {
  const steps = from.edges.filter((edge) => edge.to === to && !edge.toMany);
  return steps.flatMap(({ step }) => listDimensions(to.dimensions, `${from.entity.name}.${step}`));
}
