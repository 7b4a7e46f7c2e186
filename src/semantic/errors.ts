/**
 * A question that a model cannot answer: `invalid` for one that is wrong (400), `refused` for one that is well formed
 * and has no right answer (422).
 */
export class SemanticError extends Error {
  readonly kind: 'invalid' | 'refused';
  /** A stable word for programs, documented in `docs/errors.md`. */
  readonly code: string;
  /** A further sentence, which can also continue the message. */
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

/** What is said of questions to a semantic model (interface 7, semantic 1). */
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
  tooMany: (what: string, most: number) =>
    invalid('query_limit_exceeded', `A question has at most ${most} ${what}`),
  nesting: (depth: number) => invalid('filters_too_deep', `Filters are nested more than ${depth} deep`),
  operatorFor: (operator: string, field: string, type: string) =>
    invalid('operator_not_applicable', `Operator ${operator} does not apply to ${field}, which is ${type}`),
  operands: (operator: string, count: number | null) =>
    invalid(
      'operand_count_invalid',
      `Operator ${operator} takes ${count === null ? 'one value or more' : count === 0 ? 'no value' : count === 1 ? 'one value' : `${count} values`}`,
    ),
  value: (field: string, value: string, type: string, hint?: string) =>
    invalid('value_invalid', `Value ${quote(value)} of ${field} is no ${type}`, hint),
  dateOrder: (field: string, from: string, to: string) =>
    invalid('dates_out_of_order', `Dates of ${field} are out of order: ${quote(from)} is after ${quote(to)}`),
  alias: (alias: string) => invalid('alias_invalid', `Alias ${quote(alias)} cannot name a column`),
  longAlias: (alias: string, length: number, unit: string) =>
    invalid('alias_too_long', `Alias ${quote(alias)} is longer than ${length} ${unit}`),
  duplicateAlias: (alias: string) => invalid('alias_given_twice', `Alias ${quote(alias)} is given twice`),
  severalPlatforms: (platforms: readonly string[]) =>
    refused(
      'platforms_mixed',
      `The question is about layers for ${platforms.join(' and ')}: no SQL can join them`,
    ),
  unreachable: (from: string, to: string) =>
    refused('entities_not_related', `No relationships lead from ${from} to ${to}`),
  /** `reason` is the model's; `paths` are others that can be chosen. */
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
      `None of ${entities.join(', ')} has one row of each other: add a measure that tells how they belong together`,
    ),
  severalRoots: (entities: readonly string[]) =>
    refused(
      'common_entity_ambiguous',
      `Each of ${entities.join(', ')} has one row of the others: add a measure that tells whose rows count`,
    ),
  finer: (dimension: string, entity: string) =>
    refused(
      'groups_overlap',
      `A row of ${entity} may have several ${dimension}, so that its groups overlap (strict mode)`,
    ),
  measureFields: (measure: string, dimension: string, entity: string) =>
    refused(
      'measure_fields_apart',
      `${measure} cannot be computed for each row of ${entity}: a row may have several ${dimension}`,
    ),
  mixedOr: (dimension: string) =>
    refused(
      'filter_dimension_not_selected',
      `An OR of measures and dimensions needs its dimensions selected: ${dimension} is not`,
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
  timezone: (dimension: string) =>
    refused(
      'time_zone_not_supported',
      `${dimension} cannot be cut in a time zone other than UTC on this platform`,
    ),
  /** `takes` as in `two numbers`. */
  functionTypes: (name: string, types: readonly string[], takes: string) =>
    refused('function_types_invalid', `${name} takes ${takes}, not ${types.join(', ')}`),
  momentZone: (timezone: string) =>
    refused(
      'time_zone_not_supported',
      `Moments cannot be cut in the time zone ${timezone} on this platform, but in UTC alone`,
    ),
  /** `what` as in `window`. */
  resultOnly: (what: string) =>
    refused('result_expression_misplaced', `A ${what} stands over a result, not among the rows of entities`),
  tooMuchSql: () =>
    refused(
      'sql_too_large',
      'The SQL would be longer than platforms take: give fewer values, or compute parts of it in a sub-query',
    ),
  windowOrder: (name: string) =>
    refused('window_order_required', `${name} needs ORDER BY in its OVER, by columns`),
  windowCall: (name: string) =>
    refused('window_not_supported', `The platform of the model has no window function ${name}`),
  windowRange: () =>
    refused(
      'window_not_supported',
      'The platform of the model has window frames of rows alone: write ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
    ),
  setAll: (word: string) =>
    refused('set_operation_not_supported', `The platform of the model has no ${word}: leave ALL out`),
  fullJoin: () => refused('full_join_not_supported', 'The platform of the model has no FULL JOIN'),
  cast: (from: string, to: string) =>
    refused('cast_not_portable', `A ${from} cannot be cast to ${to}: platforms convert them differently`),
  literal: (value: string, type: string) => invalid('value_invalid', `Value ${quote(value)} is no ${type}`),
  pattern: (pattern: string) =>
    invalid('pattern_invalid', `Pattern ${quote(pattern)} ends in the character that escapes`),
};

/** What is said of answers that may surprise. */
export const semanticWarnings = {
  stale: () => 'The model has faults now: this is of its last sound version',
};
