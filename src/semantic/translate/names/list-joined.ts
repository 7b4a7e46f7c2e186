import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, RelationSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { FromItem, NameEnvironment, SourceSyntax } from './environment.ts';
import type { EntityPlace } from './find-entity.ts';

interface JoinedSource {
  readonly relation: SourceSyntax;
  readonly source: FromItem;
  /** The only entity in the same part of FROM; null if there are several, or none. */
  readonly beside: EntityPlace | null;
}

/** The sources of FROM, and the parts of all ON conditions. */
interface Joined {
  readonly sources: readonly JoinedSource[];
  readonly on: readonly ExpressionSyntax[];
}

type JoinSyntax = Extract<RelationSyntax, { kind: 'join' }>;

/**
 * Lists the sources in FROM. Next to another sub-query, and in a join with ON, a transparent sub-query is a result
 * (docs/reference/semantic-sql.md#inlined-sub-queries). Throws a SemanticSqlError for a join that the model supplies.
 */
export function listJoined(environment: NameEnvironment, from: readonly RelationSyntax[]): Joined {
  const all = from.map((relation) => flatten(environment, relation));
  const sources = all.flatMap((joined) => joined.sources);
  const isAlone = sources.filter(({ source }) => source.kind !== 'entity').length === 1;
  const on = all.flatMap((joined) => joined.on);
  const isViewed = isAlone && on.length === 0;
  return {
    on,
    sources: all.flatMap((part) => {
      const [first, ...others] = part.sources.flatMap(({ source }) =>
        source.kind === 'entity' ? [source] : [],
      );
      const beside = first === undefined || others.length > 0 ? null : first.place;
      return part.sources.map(({ relation, source }) => {
        const isResult = source.kind === 'view' && !isViewed;
        return { relation, source: isResult ? source.toResult() : source, beside };
      });
    }),
  };
}

interface FlatPart {
  readonly sources: readonly Pick<JoinedSource, 'relation' | 'source'>[];
  readonly on: readonly ExpressionSyntax[];
}

function flatten(environment: NameEnvironment, relation: RelationSyntax): FlatPart {
  if (relation.kind !== 'join') {
    return { sources: [{ relation, source: environment.readSource(environment, relation) }], on: [] };
  }
  const sides = [relation.left, relation.right].map((side) => flatten(environment, side));
  const sources = sides.flatMap((side) => side.sources);
  const on = sides.flatMap((side) => side.on);
  if (relation.join === 'cross') return { sources, on };
  const isOfResult = sides.some((side) => side.sources.every(({ source }) => source.kind !== 'entity'));
  return { sources, on: [...on, ...readOn(relation, isOfResult)] };
}

/** The operands of AND in the condition of a join with a result. */
function readOn(
  { join, on, using, start, end }: JoinSyntax,
  isOfResult: boolean,
): readonly ExpressionSyntax[] {
  const span = on ?? { start, end };
  if (!isOfResult) {
    throw new SemanticSqlError(span, translationTexts.join(using.length > 0 ? 'JOIN … USING' : 'JOIN … ON'));
  }
  if (join !== 'inner') throw new SemanticSqlError(span, translationTexts.outerResult(join.toUpperCase()));
  if (on === null) throw new SemanticSqlError(span, translationTexts.resultUsing());
  return splitAnd(on);
}

/** The operands of AND. */
export function splitAnd(syntax: ExpressionSyntax): readonly ExpressionSyntax[] {
  return syntax.kind === 'and' ? syntax.parts.flatMap(splitAnd) : [syntax];
}
