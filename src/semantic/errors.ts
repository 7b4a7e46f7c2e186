/**
 * An error in a semantic query: `invalid` for a wrong query (400), `refused` for a well-formed query without a right
 * answer (422).
 */
export class SemanticError extends Error {
  readonly kind: 'invalid' | 'refused';
  /** A stable code for programs, documented in `docs/reference/errors.md`. */
  readonly code: string;
  /** An additional sentence, which can also continue the message. */
  readonly hint: string | undefined;

  constructor(kind: SemanticError['kind'], code: string, message: string, hint?: string) {
    super(message);
    this.name = 'SemanticError';
    this.kind = kind;
    this.code = code;
    this.hint = hint;
  }
}

const invalid = (code: string, message: string, hint?: string) =>
  new SemanticError('invalid', code, message, hint);
const refused = (code: string, message: string) => new SemanticError('refused', code, message);
const quote = (value: string) => `'${value.length > 80 ? `${value.slice(0, 80)}…` : value}'`;

/** Error messages for semantic queries (docs/reference/errors.md). */
export const semanticErrors = {
  nothingAsked: () =>
    invalid('dimension_or_measure_required', 'At least one dimension or measure is required'),
  entityNotFound: (name: string, hint?: string) =>
    invalid('entity_not_found', `Entity not found: ${name}`, hint),
  fieldNotFound: (field: string, entity: string, hint?: string) =>
    invalid('field_not_found', `Field not found: ${field} in entity ${entity}`, hint),
  operatorType: (type: string, hint?: string) =>
    invalid('operator_type_invalid', `Invalid operator type: ${type}`, hint),
  filterType: (type: string) => invalid('filter_type_invalid', `Invalid filter type: ${type}`),
  emptyFilters: () => invalid('filters_empty', 'Filters must not be empty'),
  fetch: () => invalid('fetch_invalid', 'Fetch must be greater than 0'),
  skip: () => invalid('skip_invalid', 'Skip must be 0 or greater'),
  required: (label: string) => invalid('field_required', `${label} is required`),
  /** `wanted` as in `a string`. */
  mustBe: (label: string, wanted: string) => invalid('field_invalid', `${label} must be ${wanted}`),
  tooMany: (what: string, max: number) =>
    invalid('query_limit_exceeded', `A semantic query has at most ${max} ${what}`),
  nesting: (depth: number) => invalid('filters_too_deep', `Filters are nested more than ${depth} deep`),
  operatorFor: (operator: string, field: string, type: string) =>
    invalid('operator_not_applicable', `Operator ${operator} does not apply to ${field}, which is ${type}`),
  operands: (operator: string, count: number | null) =>
    invalid(
      'operand_count_invalid',
      `Operator ${operator} takes ${count === null ? 'one value or more' : count === 0 ? 'no value' : count === 1 ? 'one value' : `${count} values`}`,
    ),
  value: (field: string, value: string, type: string, hint?: string) =>
    invalid('value_invalid', `Value ${quote(value)} of ${field} is not a valid ${type}`, hint),
  dateOrder: (field: string, from: string, to: string) =>
    invalid('dates_out_of_order', `Dates of ${field} are out of order: ${quote(from)} is after ${quote(to)}`),
  alias: (alias: string) => invalid('alias_invalid', `Alias ${quote(alias)} cannot name a column`),
  longAlias: (alias: string, length: number, unit: string) =>
    invalid('alias_too_long', `Alias ${quote(alias)} is longer than ${length} ${unit}`),
  duplicateAlias: (alias: string) => invalid('alias_given_twice', `Alias ${quote(alias)} is given twice`),
  severalPlatforms: (platforms: readonly string[]) =>
    refused(
      'platforms_mixed',
      `The query uses layers for ${platforms.join(' and ')}: layers of different platforms cannot be joined`,
    ),
  unreachable: (from: string, to: string) =>
    refused('entities_not_related', `No relationships lead from ${from} to ${to}`),
  /** `reason` comes from the model; `paths` are alternatives. */
  blocked: (from: string, to: string, reason: string, paths: readonly string[]) =>
    refused(
      'relationship_without_sql',
      `The path from ${from} to ${to} needs a relationship that the model has no SQL for: ${reason}${
        paths.length === 0 ? '' : `. To use another path, give it as the entity: ${paths.join(', ')}`
      }`,
    ),
  ambiguous: (from: string, to: string, paths: readonly string[]) =>
    refused(
      'join_path_ambiguous',
      `Several paths lead from ${from} to ${to}: ${paths.join(', ')}. Give one of them as the entity`,
    ),
  noRoot: (entities: readonly string[]) =>
    refused(
      'common_entity_missing',
      `Cannot join ${entities.join(', ')} without a measure: none of them reaches all others over to-one relationships. Add a measure to the query`,
    ),
  severalRoots: (entities: readonly string[]) =>
    refused(
      'common_entity_ambiguous',
      `Cannot join ${entities.join(', ')} without a measure: each of them reaches the others over to-one relationships. Add a measure to choose whose rows count`,
    ),
  finer: (dimension: string, entity: string) =>
    refused(
      'groups_overlap',
      `A row of ${entity} can have several values of ${dimension}, so its groups overlap (strict mode)`,
    ),
  measureFields: (measure: string, dimension: string, entity: string) =>
    refused(
      'measure_fields_apart',
      `${measure} cannot be computed for each row of ${entity}: a row can have several values of ${dimension}`,
    ),
  mixedOr: (dimension: string) =>
    refused(
      'filter_dimension_not_selected',
      `A filter that combines measures and dimensions with OR needs its dimensions selected: ${dimension} is not selected`,
    ),
  orderGrain: (dimension: string) =>
    refused(
      'order_dimension_not_selected',
      `Ordering by ${dimension}, which is not selected, would change the groups`,
    ),
  oneSided: (entity: string, path: string) =>
    refused(
      'relationship_one_sided',
      `The condition of relationship ${path} must qualify the columns of both sides, to join ${entity}`,
    ),
  timezone: (dimension: string, platform: string) =>
    refused(
      'time_zone_not_supported',
      `${dimension} cannot be truncated in a time zone other than UTC on the platform ${platform}`,
    ),
  /** `takes` as in `two numbers`. */
  functionTypes: (name: string, types: readonly string[], takes: string) =>
    refused('function_types_invalid', `${name} takes ${takes}, not ${types.join(', ')}`),
  longInterval: () =>
    refused('interval_too_long', 'This interval is longer than 9,999 years, so no date can be its result'),
  momentZone: (timezone: string, platform: string) =>
    refused(
      'time_zone_not_supported',
      `DATETIME values cannot be converted to or from the time zone ${timezone} on the platform ${platform}: it only knows UTC`,
    ),
  /** `what` as in `window`. */
  resultOnly: (what: string) =>
    refused(
      'result_expression_misplaced',
      `A ${what} is allowed only over a result, not over the rows of entities`,
    ),
  tooMuchSql: () =>
    refused(
      'sql_too_large',
      'The SQL would be longer than platforms accept: use fewer values, or compute parts of it in a sub-query',
    ),
  windowOrder: (name: string) =>
    refused('window_order_required', `${name} needs ORDER BY with columns in its OVER clause`),
  windowCall: (name: string) =>
    refused('window_not_supported', `The platform of the model does not support the window function ${name}`),
  windowRange: () =>
    refused(
      'window_not_supported',
      'The platform of the model supports only ROWS window frames: write ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
    ),
  setAll: (word: string) =>
    refused('set_operation_not_supported', `The platform of the model does not support ${word}: remove ALL`),
  fullJoin: () => refused('full_join_not_supported', 'The platform of the model does not support FULL JOIN'),
  cast: (from: string, to: string) =>
    refused('cast_not_portable', `A ${from} cannot be cast to ${to}: platforms convert them differently`),
  literal: (value: string, type: string) =>
    invalid('value_invalid', `Value ${quote(value)} is not a valid ${type}`),
  pattern: (pattern: string) =>
    invalid('pattern_invalid', `Pattern ${quote(pattern)} ends with its escape character`),
};

/** Warnings about semantic answers. */
export const semanticWarnings = {
  stale: () => 'The model currently has errors; this answer uses the last valid version',
};
