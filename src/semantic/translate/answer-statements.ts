import { type CompiledQuery, compileResolved } from '../compile/compile-query.ts';
import type { ResolvedQuery } from '../expression/expression.ts';
import type { AskedModel } from '../model/index/asked-model.ts';
import type { Platform } from '../model/model.ts';
import { findDialect } from '../query/find-dialect.ts';
import type { FieldRef } from '../query/query.ts';
import { DIALECTS } from '../sql/dialects.ts';
import { SqlRefusal } from '../syntax/sql-refusal.ts';
import type { RelationSyntax, StatementSyntax } from '../syntax/syntax.ts';
import { findEntity } from './find-entity.ts';
import { translateQuery } from './translate-select.ts';
import { translationTexts } from './translation-texts.ts';
import { withPlace } from './with-place.ts';

/** The SQL of one statement of Semantic SQL, and how it came about. */
export type AnsweredStatement = Pick<CompiledQuery, 'sql' | 'plan' | 'paths' | 'warnings'>;

/** The SQL of statements for the platform of the layer that they are about (semantic SQL 1). Throws a SqlRefusal. */
export function answerStatements(
  asked: AskedModel,
  statements: readonly StatementSyntax[],
  { strict }: { readonly strict: boolean },
): readonly AnsweredStatement[] {
  return statements.map((statement) => answer(asked, statement, strict));
}

function answer(asked: AskedModel, statement: StatementSyntax, strict: boolean): AnsweredStatement {
  if (statement.kind !== 'query') {
    throw new SqlRefusal(
      statement,
      translationTexts.notYet(statement.kind === 'explain' ? 'EXPLAIN' : 'SHOW'),
    );
  }
  const { query } = statement;
  const dialect = findPlatform(asked, statement);
  const resolved: ResolvedQuery = translateQuery(asked, query, DIALECTS[dialect]);
  const { sql, plan, paths, warnings } = withPlace(query, () =>
    compileResolved(asked.index, resolved, { dialect, strict }),
  );
  return { sql, plan, paths, warnings };
}

/** The platform of the entities in FROM. */
function findPlatform(
  asked: AskedModel,
  { query }: Extract<StatementSyntax, { kind: 'query' | 'explain' }>,
): Platform {
  const { tables, body } = query;
  const from = tables.length === 0 && body.kind === 'select' ? body.from : [];
  const dimensions = from.flatMap((relation) => listEntities(asked, relation));
  return withPlace(query, () =>
    findDialect(asked.model, { dimensions, measures: [], filters: [], orderBy: [], limit: null }),
  );
}

function listEntities(asked: AskedModel, relation: RelationSyntax): readonly FieldRef[] {
  if (relation.kind === 'join')
    return [relation.left, relation.right].flatMap((own) => listEntities(asked, own));
  return relation.kind === 'table' ? [{ entity: findEntity(asked, relation.names).ref, field: '' }] : [];
}
