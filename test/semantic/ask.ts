import type { FieldRef, Operator, SemanticFilter, SemanticQuery } from '../../src/semantic/query/query.ts';

/** `orders.status`, or `orders.customer.region` with a path before the last dot; ` AS x` adds an alias. */
export function toRef(text: string): FieldRef {
  const [name = '', alias] = text.split(' AS ');
  const dot = name.lastIndexOf('.');
  const ref = { entity: name.slice(0, dot), field: name.slice(dot + 1) };
  return alias === undefined ? ref : { ...ref, alias };
}

/** A semantic query with comma-separated fields. */
export function ask(dimensions: string, measures: string, more: Partial<SemanticQuery> = {}): SemanticQuery {
  const toRefs = (text: string) => (text === '' ? [] : text.split(', ').map(toRef));
  return {
    dimensions: toRefs(dimensions),
    measures: toRefs(measures),
    filters: [],
    orderBy: [],
    limit: null,
    ...more,
  };
}

/** A condition with the given operands; `one` lists the operators with a single operand. */
export function where(field: string, type: string, ...operands: readonly string[]): SemanticFilter {
  const isSingle = /THAN|_DATE$/.test(type);
  const operand = isSingle ? { value: operands[0] } : operands.length > 0 ? { values: operands } : {};
  return { type: 'CONDITION', field: toRef(field), operator: { type, ...operand } as Operator };
}
