import { createNull } from '../expression/create-expression.ts';
import type { Expression } from '../expression/expression.ts';
import type { ResultField, ResultGrouping, ResultSelect } from '../expression/statement.ts';
import { createGroupField, findLevelValue, type LevelColumn, type Levels, selectLevels } from './levels.ts';

/** A grouped SELECT over results with levels. */
interface LeveledGroups extends ResultGrouping, Pick<ResultSelect, 'from' | 'where'> {
  readonly levels: Levels;
  /** The keys of each GROUPING, by the name of its column. */
  readonly groupings: ReadonlyMap<string, readonly string[]>;
}

/**
 * The union of one grouped SELECT for each level, on every platform: some have no grouping sets, and a median is found
 * by its rank in each level. The grouped results are computed once, in WITH.
 */
export function uniteGroups(
  { from, where, keys, aggregates, having, levels, groupings }: LeveledGroups,
  select: Omit<ResultSelect, 'kind' | 'from' | 'where' | 'grouping'>,
): ResultSelect {
  const toColumn = (name: string, value: Expression<ResultField>, kind: LevelColumn['kind']): LevelColumn => {
    return { name, key: name, kind, dataType: value.dataType, measure: null };
  };
  const zero = createNull('INTEGER');
  const columns = [
    ...keys.map(({ name, value }) => toColumn(name, value, 'key')),
    ...aggregates.map(({ name, value }) => toColumn(name, value, 'measure')),
    ...[...groupings].map(([name, grouping]) => toColumn(name, zero, { grouping })),
  ];
  const shared = from.map((join) => {
    const { relation } = join;
    return { ...join, relation: { ...relation, table: relation.table ?? relation.alias } };
  });
  return selectLevels(
    levels,
    columns,
    (level) => ({
      kind: 'select',
      distinct: false,
      values: columns.map(
        (column) =>
          findLevelValue(column, level) ?? createGroupField(column.name, { ...column, nullable: true }),
      ),
      from: shared,
      where,
      grouping: { keys: keys.filter(({ name }) => level.has(name)), aggregates, having: null },
      orderBy: [],
      limit: null,
    }),
    { ...select, where: having },
  );
}
