import type { ValueType } from '../model.ts';
import type { DimensionUse } from './field-use.ts';
import type { Edge, IndexedEntity } from './index-model.ts';

/** A result of a statement that is joined with an entity. */
interface JoinedResult {
  /** Unique in its statement. */
  readonly result: string;
  /** Unique among the edges of a query: negative, unlike those of relationships. */
  readonly id: number;
  /** The qualifier of its columns. */
  readonly name: string;
}

/** The to-one edge from an entity to a result. */
export function createResultEdge(from: IndexedEntity, { id, name, result }: JoinedResult): Edge {
  const edge: Edge = {
    id,
    from,
    to: createResultEntity(name, result, from.timezone),
    step: name,
    toMany: false,
    condition: '',
    names: [from.entity.name, name],
    isInverse: false,
    result,
    get inverse() {
      return edge;
    },
  };
  return edge;
}

function createResultEntity(name: string, result: string, timezone: string): IndexedEntity {
  return {
    entity: {
      name,
      source: { kind: 'table', name: result },
      primaryKey: null,
      synonyms: [],
      dimensions: [],
      measures: [],
      relationships: [],
      unreachable: [],
    },
    timezone,
    dimensions: new Map(),
    measures: new Map(),
    edges: [],
    blocked: [],
    steps: new Map(),
  };
}

/** A column of a result as a dimension at the end of its edge. */
export function createResultUse(edge: Edge, name: string, dataType: ValueType): DimensionUse {
  const { id, from, to, step } = edge;
  const defaults = { hidden: false, expr: name, grain: null, caseSensitive: true, synonyms: [] };
  const dimension = { name, dataType, ...defaults };
  return {
    kind: 'dimension',
    key: `${from.entity.name}>${id}|${name}`,
    entity: step,
    start: from,
    steps: [edge],
    owner: to,
    field: { dimension, base: dimension },
  };
}
