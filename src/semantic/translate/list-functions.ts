import { WINDOW_CALLS } from '../expression/create-window.ts';
import { AGGREGATE_NAMES } from '../model/aggregate-functions.ts';
import { listScalarFunctions } from './values/translate-call.ts';

/** A function of Semantic SQL (docs/reference/semantic-sql-functions.md). */
interface SemanticFunction {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'window';
  /** The arguments that it takes, in words; null if the page alone says it. */
  readonly takes: string | null;
}

/** The functions that Semantic SQL can call by name. */
export function listSemanticFunctions(): readonly SemanticFunction[] {
  const aggregates = [...AGGREGATE_NAMES.map((name) => [name, null] as const), MEASURE];
  const windows = Object.entries(WINDOW_CALLS).filter(([name]) => !AGGREGATE_NAMES.includes(name));
  return [
    ...[...listScalarFunctions()].map(([name, takes]) => ({ name, kind: 'scalar', takes }) as const),
    ...aggregates.map(([name, takes]) => ({ name, kind: 'aggregate', takes }) as const),
    ...windows.map(([name, { takes }]) => ({ name, kind: 'window', takes }) as const),
  ];
}

const MEASURE = ['MEASURE', 'the name of a measure'] as const;
