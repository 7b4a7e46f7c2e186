/**
 * A question that a model cannot answer: `invalid` for one that is wrong (400), `refused` for one that is well formed
 * and has no right answer (422).
 */
export class SemanticError extends Error {
  readonly kind: 'invalid' | 'refused';
  /** Goes on where the message ends, for a person who has typed the question. */
  readonly hint: string | undefined;

  constructor(kind: SemanticError['kind'], message: string, hint?: string) {
    super(message);
    this.name = 'SemanticError';
    this.kind = kind;
    this.hint = hint;
  }
}

const invalid = (message: string, hint?: string) => new SemanticError('invalid', message, hint);
const refused = (message: string) => new SemanticError('refused', message);
const quote = (value: string) => `'${value.length > 80 ? `${value.slice(0, 80)}…` : value}'`;

/** What is said of questions to a semantic model (interface 7, semantic 1). */
export const semanticErrors = {
  nothingAsked: () => invalid('At least one dimension or measure is required'),
  entityNotFound: (name: string, hint?: string) => invalid(`Entity not found: ${name}`, hint),
  fieldNotFound: (field: string, entity: string, hint?: string) =>
    invalid(`Field not found: ${field} in entity ${entity}`, hint),
  operatorType: (type: string, hint?: string) => invalid(`Invalid operator type: ${type}`, hint),
  filterType: (type: string) => invalid(`Invalid filter type: ${type}`),
  emptyFilters: () => invalid('Filters must not be empty'),
  fetch: () => invalid('Fetch must be greater than 0'),
  skip: () => invalid('Skip must be 0 or greater'),
  required: (label: string) => invalid(`${label} is required`),
  /** `wanted` as in `a string`. */
  mustBe: (label: string, wanted: string) => invalid(`${label} must be ${wanted}`),
  tooMany: (what: string, most: number) => invalid(`A question has at most ${most} ${what}`),
  nesting: (depth: number) => invalid(`Filters are nested more than ${depth} deep`),
  operatorFor: (operator: string, field: string, type: string) =>
    invalid(`Operator ${operator} does not apply to ${field}, which is ${type}`),
  operands: (operator: string, count: number | null) =>
    invalid(
      `Operator ${operator} takes ${count === null ? 'one value or more' : count === 0 ? 'no value' : count === 1 ? 'one value' : `${count} values`}`,
    ),
  value: (field: string, value: string, type: string, hint?: string) =>
    invalid(`Value ${quote(value)} of ${field} is no ${type}`, hint),
  dateOrder: (field: string, from: string, to: string) =>
    invalid(`Dates of ${field} are out of order: ${quote(from)} is after ${quote(to)}`),
  alias: (alias: string) => invalid(`Alias ${quote(alias)} cannot name a column`),
  longAlias: (alias: string, length: number, unit: string) =>
    invalid(`Alias ${quote(alias)} is longer than ${length} ${unit}`),
  duplicateAlias: (alias: string) => invalid(`Alias ${quote(alias)} is given twice`),
  measurePath: (entity: string, field: string) =>
    invalid(`Measure ${field} is named by its entity alone, not by ${quote(entity)}`),
  severalPlatforms: (platforms: readonly string[]) =>
    refused(`The question is about layers for ${platforms.join(' and ')}: no SQL can join them`),
  unreachable: (from: string, to: string) => refused(`No relationships lead from ${from} to ${to}`),
  ambiguous: (from: string, to: string, paths: readonly string[]) =>
    refused(`Several paths lead from ${from} to ${to}: ${paths.join(', ')}. Give one of them as the entity`),
  noRoot: (entities: readonly string[]) =>
    refused(
      `None of ${entities.join(', ')} has one row of each other: add a measure that tells how they belong together`,
    ),
  severalRoots: (entities: readonly string[]) =>
    refused(
      `Each of ${entities.join(', ')} has one row of the others: add a measure that tells whose rows count`,
    ),
  finer: (dimension: string, entity: string) =>
    refused(`A row of ${entity} may have several ${dimension}, so that its groups overlap (strict mode)`),
  mixedOr: (dimension: string) =>
    refused(`An OR of measures and dimensions needs its dimensions selected: ${dimension} is not`),
  orderGrain: (dimension: string) =>
    refused(`Ordering by ${dimension}, which is not selected, would change the groups`),
  oneSided: (entity: string, path: string) =>
    refused(
      `The condition of relationship ${path} must qualify the columns of both sides, to join ${entity}`,
    ),
  timezone: (dimension: string) =>
    refused(`${dimension} cannot be cut in a time zone other than UTC on this platform`),
};

/** What is said of answers that may surprise. */
export const semanticWarnings = {
  stale: () => 'The model has faults now: this is of its last sound version',
};
