import { type TProperties, Type } from 'typebox';
import { OPERANDS } from '../../semantic/query/read-query.ts';
import { defineFields } from '../fields/define-fields.ts';
import { filledText, querySwitch, requiredText } from '../fields/kinds.ts';

/** The connection of the model. */
export const ConnectionParams = Type.Object({
  connection_name: Type.String({ description: 'Name of a semantic connection' }),
});

/** Strings in semantic queries contain no NUL. */
const text = { pattern: '^[^\\u0000]*$' };
const name = { minLength: 1, ...text };

const FieldSchema = Type.Object(
  {
    entity: Type.String({
      ...name,
      description:
        'Name of an entity, or a path of an entity and relationships, such as `orders.customer`. A measure with a path aggregates rows at the end of the path, grouped by dimensions of its first entity',
      examples: ['orders'],
    }),
    field: Type.String({ ...name, description: 'Name of a dimension or a measure', examples: ['revenue'] }),
    alias: Type.Optional(Type.String({ ...text, description: 'Name of the result column' })),
  },
  { title: 'FieldReference' },
);

const Absent = Type.Optional(Type.Null());

/** Operators with this number of operands and the field for them; null means one operand or more. */
function createOperators(count: number | null, operands: TProperties) {
  const types = Object.entries(OPERANDS).filter(([, number]) => number === count);
  return Type.Object({ type: Type.Enum(types.map(([type]) => type)), ...operands });
}

const OperatorSchema = Type.Union(
  [
    createOperators(null, { values: Type.Array(Type.String(text), { minItems: 1 }), value: Absent }),
    createOperators(2, {
      values: Type.Array(Type.String(text), { minItems: 2, maxItems: 2 }),
      value: Absent,
    }),
    createOperators(1, { value: Type.String(text), values: Absent }),
    createOperators(0, { value: Absent, values: Absent }),
  ],
  { title: 'Operator' },
);

const ConditionSchema = Type.Object(
  { type: Type.Enum(['CONDITION']), field: FieldSchema, operator: OperatorSchema },
  { title: 'Condition', description: 'Condition on a field' },
);

const FilterGroupSchema = Type.Object(
  {
    type: Type.Enum(['AND', 'OR']),
    filters: Type.Array(Type.Unsafe<object>({ $ref: '#/components/schemas/Filter' }), {
      minItems: 1,
      description: 'Filters that are combined with AND or OR',
    }),
  },
  { title: 'FilterGroup' },
);

const FilterSchema = Type.Unsafe<object>({
  title: 'Filter',
  anyOf: [ConditionSchema, FilterGroupSchema],
});

const Fields = Type.Array(FieldSchema);
const SomeFields = Type.Array(FieldSchema, { minItems: 1 });
const further = {
  filters: Type.Optional(Type.Array(FilterSchema, { description: 'Filters that must all be true' })),
  order_by: Type.Optional(
    Type.Array(Type.Object({ field: FieldSchema, desc: Type.Optional(Type.Boolean()) })),
  ),
  limit: Type.Optional(
    Type.Object({
      fetch: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      skip: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Number of rows to skip. Defaults to 0',
        }),
      ),
    }),
  ),
};

const QuerySchema = Type.Union(
  [
    Type.Object(
      { measures: SomeFields, dimensions: Type.Optional(Fields), ...further },
      { title: 'QueryOfMeasures' },
    ),
    Type.Object(
      { dimensions: SomeFields, measures: Type.Optional(Fields), ...further },
      { title: 'QueryOfDimensions' },
    ),
  ],
  { title: 'SemanticQuery', description: 'Semantic query. At least one dimension or measure is required' },
);

const connectionName = filledText(
  'Connection name',
  Type.String({
    description: 'Name of a semantic connection. Defaults to the only one that the caller may use',
  }),
);

/** The body of `POST /semantic-layer/codegen/sql` (docs/reference/semantic-http.md#sql-of-a-semantic-query). */
export const codegen = defineFields({
  connection_name: connectionName,
  query: { schema: QuerySchema, read: (fields, key) => fields[key] },
});

/** The body of `POST /semantic-layer/codegen/statements`. */
export const statementsBody = defineFields({
  connection_name: connectionName,
  sql: requiredText(
    'SQL query',
    Type.String({ minLength: 1, description: 'Semantic SQL, one or more statements' }),
  ),
});

/** The query parameters. */
export const codegenQuery = defineFields({
  strict: querySwitch('Strict', 'Whether to reject queries with overlapping groups'),
  explain: querySwitch('Explain', 'Whether to return plan, paths and warnings'),
});

const createTexts = (description: string) =>
  Type.Optional(Type.Immutable(Type.Array(Type.String(), { description })));

/**
 * Generated SQL, with plan, paths and warnings if `explain=true`
 * (docs/reference/semantic-http.md#sql-of-a-semantic-query).
 */
export const SqlSchema = Type.Object(
  {
    sql: Type.String({ description: 'One statement, without a semicolon' }),
    plan: Type.Optional(Type.Unknown({ description: 'With `explain`: the joins, filters and aggregations' })),
    paths: createTexts('With `explain`: the relationships that the query uses'),
    warnings: createTexts('With `explain`: the warnings'),
  },
  { title: 'GeneratedSql', description: 'SQL of the semantic query' },
);

const StatementSqlSchema = Type.Object(
  {
    sql: SqlSchema.properties.sql,
    plans: Type.Optional(
      Type.Immutable(
        Type.Array(Type.Unknown(), {
          description:
            'With `explain`: the joins, filters and aggregations of each query over entities in it',
        }),
      ),
    ),
    paths: SqlSchema.properties.paths,
    warnings: SqlSchema.properties.warnings,
  },
  { title: 'GeneratedStatement', description: 'SQL of a statement' },
);

/** The SQL of each statement of a source (docs/reference/semantic-http.md#sql-of-statements). */
export const GeneratedStatementsSchema = Type.Object(
  { statements: Type.Immutable(Type.Array(StatementSqlSchema)) },
  { title: 'GeneratedStatements', description: 'SQL of each statement, in order' },
);
