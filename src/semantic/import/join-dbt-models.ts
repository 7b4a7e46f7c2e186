import type { JoinType } from '../model.ts';
import type { DbtKey, DbtModel, DbtScope } from './dbt-scope.ts';
import { toName } from './draft.ts';
import { importFaults } from './errors.ts';
import { isColumn, qualifySql, quoteQualifier } from './foreign-sql.ts';

/** A key of one model that is a key of another, too. */
interface Join {
  readonly own: DbtKey;
  readonly other: DbtKey;
  readonly to: DbtModel;
  readonly joinType: JoinType;
}

/** Makes the relationships by which dbt would join: an entity of one model that tells the rows of another apart. */
export function joinDbtModels(scope: DbtScope): void {
  for (const from of scope.models) {
    const joins = listJoins(from, scope.models);
    for (const join of joins) addRelationship(from, join, joins, scope);
  }
}

function listJoins(from: DbtModel, models: readonly DbtModel[]): readonly Join[] {
  return from.keys.flatMap((own) =>
    models.flatMap((to, at): readonly Join[] => {
      if (to === from) return [];
      const other = to.keys.find(({ name, type }) => name === own.name && type !== 'foreign');
      if (other === undefined) return [];
      if (own.type === 'foreign') return [{ own, other, to, joinType: 'MANY_TO_ONE' }];
      // One of the two directions says both.
      return at > models.indexOf(from) ? [{ own, other, to, joinType: 'ONE_TO_ONE' }] : [];
    }),
  );
}

function addRelationship(from: DbtModel, join: Join, all: readonly Join[], { draft, lexis }: DbtScope): void {
  const { own, other, to, joinType } = join;
  const origin = { ...own.origin, subject: `the join of ${from.name} with ${to.name}` };
  const { losses, span, subject } = origin;
  const sides = [qualify(own.expr, from, lexis), qualify(other.expr, to, lexis)];
  const unclear = sides[0] === null ? own.expr : other.expr;
  if (sides.includes(null) || (from.isPartitioned && to.isPartitioned)) {
    losses.drop(
      span,
      subject,
      sides.includes(null) ? importFaults.uncertain(unclear) : importFaults.partition(),
    );
    return;
  }
  const isAlone = all.filter((each) => each.own === own).length === 1;
  const relationship = {
    name: toName(isAlone ? own.name : `${own.name}_${to.entity.name}`, origin),
    join_type: joinType,
    to_entity: to.entity.name,
    expr: `${sides[0]} = ${sides[1]}`,
  };
  from.entity.relationships.push(relationship);
  draft.origins.set(relationship, origin);
}

function qualify(expr: string, { entity }: DbtModel, lexis: DbtScope['lexis']): string | null {
  if (isColumn(expr, lexis)) return `${quoteQualifier(entity.name, lexis)}.${expr.trim()}`;
  return qualifySql(expr, entity.name, lexis);
}
