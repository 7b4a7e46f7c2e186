import { notNull } from '../../invariants/must.ts';
import type { Leg, PlannedMeasure } from '../plan/plan.ts';
import { createSelect, NEVER, type Select } from '../sql/nodes.ts';
import { type CompileContext, SqlScope } from './sql-scope.ts';

/** The value of a CUSTOM measure over no rows, such as 0 for `COUNT(*) + COUNT(x)`, as a SELECT of one row. */
export function compileNoRows({ root }: Leg, measure: PlannedMeasure, context: CompileContext): Select {
  const scope = new SqlScope(root, [], true, context);
  const expr = notNull(scope.writeArgument({ ...measure, filter: null }));
  return createSelect(scope.relate(root.alias), { items: [{ alias: measure.column, expr }], where: [NEVER] });
}
