/** The statements about metadata (docs/reference/semantic-http.md#metadata-of-a-model). */
const METADATA = {
  'model root': 'The root has version and layers',
  'layer fields': 'A layer has name, label, environment.platform and domains',
  'domain fields': 'A domain has name, label, description and entities',
  'entity fields': 'An entity has name, label, description, dimensions, measures and relationships',
  'table or query': 'An entity has either table_name or query',
  'dimension fields': 'A dimension has name, label, data_type, hidden and expr',
  'dimension types': 'TEXT, NUMBER, INTEGER, FLOAT, DECIMAL, DATE, DATETIME, BOOLEAN',
  'measure fields': 'A measure has name, label, data_type, hidden, expr and aggregation_type',
  'measure types': 'NUMBER, INTEGER, FLOAT, DECIMAL',
  aggregations: 'SUM, COUNT, COUNT_DISTINCT, AVG, MIN, MAX, MEDIAN, CUSTOM',
  'relationship fields': 'A relationship has name, join_type, to_entity and expr',
  'join types': 'ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE',
  'optional fields': 'Absent parts of the model are left out',
  'no extensions': "Quern's own keys are not part of it, but the fields that they create are",
} as const;

/** The statements about the endpoints and the form of queries (docs/reference/semantic-queries.md#form). */
const ENDPOINTS = {
  'read metadata': 'GET metadata answers the model of the connection',
  'encoded connection name': 'The name is URL-encoded when it has spaces or special characters',
  'generate sql': 'POST codegen/sql answers sql for the platform, which runs',
  'no connection name': 'connection_name is optional',
  'query required': 'query is required',
  'dimensions or measures': 'Either will do',
  'field alias': 'alias names a column',
  'order spec': 'order_by has fields, and desc, which is false by default',
  'query limit': 'limit has fetch, and skip, which is optional',
  'filter condition': 'CONDITION has field and operator',
  'filter groups': 'AND and OR have filters, which can be nested',
  'list operators': 'EQUALS, CONTAINS, STARTS_WITH, ENDS_WITH and their NOT_: any of the values',
  'comparison operators': 'GREATER_THAN, LESS_THAN and their _OR_EQUAL take a value',
  'range operators': 'IN_DATE_RANGE, which is inclusive, and its NOT_ take two dates',
  'date operators': 'BEFORE_DATE, AFTER_DATE and their _OR_ON_ take a date',
  'null operators': 'IS_NULL and IS_NOT_NULL take nothing',
} as const;

/** The errors of both endpoints (docs/reference/semantic-http.md#errors). */
const FAILURES = {
  'metadata: connection not found': '400 Connection not found',
  'metadata: no semantic model': '400 No semantic model found for connection',
  'metadata: no permission': "403 You don't have permission to access this connection",
  'codegen: nothing asked': '400 At least one dimension or measure is required',
  'codegen: unknown entity': '400 Entity not found: <entity_name>',
  'codegen: unknown field': '400 Field not found: <field_name> in entity <entity_name>',
  'codegen: unknown operator': '400 Invalid operator type: <type>',
  'codegen: fetch': '400 Fetch must be greater than 0',
  'codegen: no semantic model': '400 No semantic model found for connection',
  'codegen: no permission': "403 You don't have permission to access this connection",
  'semantic: status 401': 'No valid token supplied',
  'limit: skip': '400 Skip must be 0 or greater',
} as const;

/** Further statements about requests (docs/reference/semantic-http.md). */
const DECIDED = {
  'codegen: unknown connection': '400 Connection not found',
  'several semantic connections': '400 No semantic model found for connection, where none is named',
  'only usable ones count': 'Without a name it is the only one that the caller may use',
  'empty groups': '400 Filters must not be empty',
  'unknown filter type': '400 Invalid filter type: <type>',
  'wrong values': '400 for invalid values of the type, and for operators that do not apply',
  'hidden field': 'Hidden fields cannot be selected',
  'strict asked': '?strict=true refuses overlapping groups: 422',
  'strict connection': 'The option strict of the connection also refuses them',
  explain: '?explain=true adds plan, paths and warnings',
  'order of refusals': 'The shape of the semantic query, the connection, names, then values',
  'two paths': '422 that lists the paths',
} as const;

/** Every statement about the semantic layer, by a descriptive id. */
export const SEMANTIC_ROWS = { ...METADATA, ...ENDPOINTS, ...FAILURES, ...DECIDED } as const;
