/** The part of JSON Schema that bodies use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** The schema of a body in which null counts as an absent field (docs/reference/http-api.md#formats). */
export function allowNulls(schema: Schema): Schema {
  const { properties, required = [], items, anyOf } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const allowed = allowNulls(field);
    return [name, required.includes(name) ? allowed : orNull(allowed)] as const;
  });
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(items === undefined ? {} : { items: allowNulls(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(allowNulls) }),
  };
}

/** Shared schemas, lists and objects stay in one piece. */
function orNull(schema: Schema): Schema {
  const { type, enum: values, anyOf, properties, items } = schema;
  if ('title' in schema || properties !== undefined || items !== undefined || type === 'object') {
    return { anyOf: [schema, { type: 'null' }] };
  }
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' ? { type: [type, 'null'] } : {}),
    ...(values === undefined ? {} : { enum: [...new Set([...values, null])] }),
    ...(anyOf === undefined ? {} : { anyOf: [...anyOf, { type: 'null' }] }),
  };
}
