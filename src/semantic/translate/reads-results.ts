import type { MeasureUse } from '../model/index/field-use.ts';
import { listSyntaxParts } from '../syntax/list-parts.ts';
import type { ExpressionSyntax, QuerySyntax, RelationSyntax, SelectSyntax } from '../syntax/syntax.ts';
import { isAggregate, isMeasureCall } from './aggregates.ts';
import type { Environment, SourceSyntax, View } from './environment.ts';
import { matchNamed } from './match-name.ts';
import { standsFor } from './translate-aggregate.ts';

/**
 * Whether a SELECT reads results, or has no FROM. A sub-query that could be looked through is a result next to another
 * one, and where its measures are needed as values (docs/reference/semantic-sql.md#inlined-sub-queries). Throws a
 * SemanticSqlError.
 */
export function readsResults(environment: Environment, query: QuerySyntax, select: SelectSyntax): boolean {
  const sources = select.from.flatMap(listSources).map((relation) => {
    return { relation, source: environment.readSource(environment, relation) };
  });
  if (sources.length === 0 || sources.some(({ source }) => source.kind === 'result')) return true;
  const views = sources.flatMap(({ relation, source }) =>
    source.kind === 'view' ? [{ name: nameRelation(relation), view: source.view }] : [],
  );
  const [only, ...others] = views;
  return others.length > 0 || (only !== undefined && needsValues(query, select, only));
}

function listSources(relation: RelationSyntax): readonly SourceSyntax[] {
  if (relation.kind !== 'join') return [relation];
  return [...listSources(relation.left), ...listSources(relation.right)];
}

function nameRelation(relation: SourceSyntax): string {
  const written = relation.kind === 'table' ? relation.names.at(-1)?.text : undefined;
  return relation.alias?.text ?? written ?? '';
}

interface NamedView {
  readonly name: string;
  readonly view: View;
}

/** Whether WHERE, or an aggregate that is not the measure's own, needs the values of a measure. */
function needsValues(query: QuerySyntax, select: SelectSyntax, view: NamedView): boolean {
  const hasMeasure = (part: ExpressionSyntax): boolean =>
    findMeasureOf(view, part) !== null || listSyntaxParts(part).some(hasMeasure);
  const isOther = (part: ExpressionSyntax): boolean => {
    if (part.kind !== 'call' || !isAggregate(part) || isMeasureCall(part)) {
      return listSyntaxParts(part).some(isOther);
    }
    const [arg] = part.args;
    const own = arg === undefined ? null : findMeasureOf(view, arg);
    return (own === null || !standsFor(part, own)) && listSyntaxParts(part).some(hasMeasure);
  };
  const results = [
    ...select.items.map(({ value }) => value),
    ...(select.having === null ? [] : [select.having]),
    ...query.orderBy.map(({ value }) => value),
  ];
  return (select.where !== null && hasMeasure(select.where)) || results.some(isOther);
}

/** The measure that a column of a sub-query is; null for any other expression. */
function findMeasureOf({ name, view }: NamedView, part: ExpressionSyntax): MeasureUse | null {
  if (part.kind !== 'column') return null;
  const column = part.names.at(-1);
  const [qualifier] = part.names;
  if (column === undefined || qualifier === undefined || part.names.length > 2) return null;
  if (part.names.length === 2 && matchNamed(qualifier, [{ name }]).length === 0) return null;
  const [found] = matchNamed(column, view.columns);
  return found?.use.kind === 'measure' ? found.use : null;
}
