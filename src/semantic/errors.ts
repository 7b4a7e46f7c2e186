/**
 * A question that a model cannot answer: `invalid` for one that is wrong (400), `refused` for one that is well formed
 * and has no right answer (422).
 */
export class SemanticError extends Error {
  readonly kind: 'invalid' | 'refused';

  constructor(kind: SemanticError['kind'], message: string) {
    super(message);
    this.name = 'SemanticError';
    this.kind = kind;
  }
}

const invalid = (message: string) => new SemanticError('invalid', message);

/** What is said of questions to a semantic model (interface 7, semantic 1). */
export const semanticErrors = {
  nothingAsked: () => invalid('At least one dimension or measure is required'),
  entityNotFound: (name: string) => invalid(`Entity not found: ${name}`),
  fieldNotFound: (field: string, entity: string) => invalid(`Field not found: ${field} in entity ${entity}`),
  operatorType: (type: string) => invalid(`Invalid operator type: ${type}`),
  filterType: (type: string) => invalid(`Invalid filter type: ${type}`),
  emptyFilters: () => invalid('Filters must not be empty'),
  fetch: () => invalid('Fetch must be greater than 0'),
  skip: () => invalid('Skip must be 0 or greater'),
};
