import { createField } from '../../expression/create-expression.ts';
import { createSpotMeasure } from '../../expression/create-measure.ts';
import type { AnyMeasureUse, SpotMeasureUse, TypedExpression } from '../../expression/expression.ts';
import { listExpressionFields } from '../../expression/walk-expression.ts';
import type { MeasureUse } from '../../model/index/field-use.ts';
import type { IndexedEntity } from '../../model/index/index-model.ts';
import type { Measure } from '../../model/model.ts';
import { findRoot } from '../../query/find-root.ts';
import { getDataType } from '../../query/resolve-query.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import {
  type CallSyntax,
  type ExpressionSyntax,
  listSyntaxParts,
  type SyntaxOf,
} from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { withPlace } from '../messages/with-place.ts';
import type { EntityScope } from '../names/entity-scope.ts';
import { findColumn, findStarred, refuseUnknown } from '../names/scope.ts';
import { findAggregate, isAggregate, isMeasureCall } from './aggregates.ts';
import { readOwnAggregate } from './scale-measure.ts';
import { readFunctionName } from './translate-call.ts';
import { translateRow } from './translate-row.ts';

/**
 * Translates MEASURE(…) or an aggregate: a measure, which casts and constant factors can surround
 * (docs/reference/semantic-sql.md#what-a-select-means). Throws a SemanticSqlError.
 */
export function translateAggregate(scope: EntityScope, call: CallSyntax): TypedExpression<AnyMeasureUse> {
  if (isMeasureCall(call)) return toField(readMeasureCall(scope, call));
  const [arg, ...others] = call.args;
  const name = readFunctionName(call);
  if (others.length > 0) throw new SemanticSqlError(call, translationTexts.oneArgument(name));
  if (call.isStar || arg?.kind === 'star' || isOne(arg)) return toField(countRows(scope, call, arg));
  if (arg === undefined) throw new SemanticSqlError(call, translationTexts.oneArgument(name));
  const aggregate = readOwnAggregate(call, (syntax) => findMeasure(scope, syntax));
  if (aggregate !== null) return aggregate;
  const measure = findMeasure(scope, arg);
  if (measure !== null) refuseOther(call, measure.measure);
  refuseMeasures(scope, arg);
  return toField(createMeasure(scope, call, arg));
}

function toField(use: AnyMeasureUse): TypedExpression<AnyMeasureUse> {
  return createField(use, getDataType(use));
}

/** The measure that a column is; null for any other expression. */
export function findMeasure(scope: EntityScope, syntax: ExpressionSyntax): MeasureUse | null {
  if (syntax.kind !== 'column') return null;
  const use = findColumn(scope, syntax.names);
  return use?.kind === 'measure' ? use : null;
}

function readMeasureCall(scope: EntityScope, call: CallSyntax): MeasureUse {
  const name = readFunctionName(call);
  const [arg, ...others] = call.args;
  const isPlain = !call.isDistinct && !call.isStar && call.filter === null && others.length === 0;
  if (arg?.kind !== 'column' || !isPlain)
    throw new SemanticSqlError(arg ?? call, translationTexts.measureOf(name));
  const use = findColumn(scope, arg.names) ?? refuseUnknown(scope, arg.names);
  if (use.kind === 'measure') return use;
  throw new SemanticSqlError(arg, translationTexts.noMeasure(use.field.dimension.name));
}

/** Refuses an aggregate of a measure that is not the measure's own. */
function refuseOther(call: CallSyntax, { name, aggregation }: Measure): never {
  const written = `${readFunctionName(call).toUpperCase()}${call.isDistinct ? ' (DISTINCT …)' : ''}${call.filter === null ? '' : ' with FILTER'}`;
  throw new SemanticSqlError(
    call,
    translationTexts.aggregateOfMeasure(written, name, aggregation, `MEASURE(${name})`),
  );
}

/** Refuses measures and other aggregates in the argument of an aggregate. */
function refuseMeasures(scope: EntityScope, syntax: ExpressionSyntax): void {
  const measure = findMeasure(scope, syntax);
  if (measure !== null) {
    throw new SemanticSqlError(syntax, translationTexts.measureInAggregate(measure.measure.name));
  }
  if (syntax.kind === 'call' && isAggregate(syntax)) {
    throw new SemanticSqlError(syntax, translationTexts.nestedAggregate());
  }
  for (const part of listSyntaxParts(syntax)) refuseMeasures(scope, part);
}

function isOne(arg: ExpressionSyntax | undefined): boolean {
  return arg?.kind === 'literal' && arg.type === 'integer' && arg.text === '1';
}

/** COUNT(*), COUNT(1) and SUM(1) of the only entity in FROM; COUNT(e.*). */
function countRows(scope: EntityScope, call: CallSyntax, arg: ExpressionSyntax | undefined): SpotMeasureUse {
  const name = readFunctionName(call);
  const aggregate = findAggregate(call);
  const isCount = aggregate === 'COUNT' && (call.isStar || arg !== undefined);
  if (!isCount && !(aggregate === 'SUM' && isOne(arg))) {
    throw new SemanticSqlError(
      call,
      arg?.kind === 'star' ? translationTexts.star() : translationTexts.oneArgument(name),
    );
  }
  const owner = arg?.kind === 'star' ? findCounted(scope, arg) : findOnly(scope, call);
  const argument = aggregate === 'SUM' && arg !== undefined ? translateRow(scope, arg, 'an aggregate') : null;
  return createSpot(scope, call, { owner, aggregate: aggregate ?? 'COUNT', argument });
}

function findOnly({ places, entities, views }: EntityScope, call: CallSyntax): IndexedEntity {
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) {
    const names = [...entities, ...views].map(({ name }) => name);
    throw new SemanticSqlError(call, translationTexts.rowsOfSeveral(names));
  }
  if (only.steps.length > 0) throw new SemanticSqlError(call, translationTexts.rowsOfPath());
  return only.owner;
}

/** The entity whose rows `e.*` counts. */
function findCounted(scope: EntityScope, star: SyntaxOf<'star'>): IndexedEntity {
  const { entities, views } = findStarred(scope, star);
  const places = [...entities.map(({ place }) => place), ...views.flatMap((view) => view.entities)];
  const names = scope.entities.map(({ name }) => name);
  const [only, ...others] = places;
  if (only === undefined) throw new SemanticSqlError(star, translationTexts.rowsOfResult(names));
  if (others.length > 0) throw new SemanticSqlError(star, translationTexts.rowsOfSeveral(names));
  if (only.steps.length > 0) throw new SemanticSqlError(star, translationTexts.rowsOfPath());
  return only.owner;
}

type Spot = Pick<SpotMeasureUse, 'owner' | 'aggregate' | 'argument'>;

function createSpot(scope: EntityScope, call: CallSyntax, spot: Spot): SpotMeasureUse {
  const filter = call.filter === null ? null : translateRow(scope, call.filter, 'FILTER');
  const name = readFunctionName(call);
  return withPlace(call, () => createSpotMeasure({ name, ...spot, filter }));
}

/** Creates a measure from an expression over fields: each row of the entity that owns them counts once. */
function createMeasure(scope: EntityScope, call: CallSyntax, arg: ExpressionSyntax): SpotMeasureUse {
  const name = readFunctionName(call);
  const aggregate = findAggregate(call);
  if (aggregate === undefined || (call.isDistinct && aggregate !== 'COUNT_DISTINCT')) {
    throw new SemanticSqlError(call, translationTexts.distinct(name));
  }
  const argument = translateRow(scope, arg, 'an aggregate');
  const fields = listExpressionFields(argument);
  if (fields.length === 0) throw new SemanticSqlError(arg, translationTexts.noFields(name));
  if (fields.every(({ steps }) => steps.some(({ result }) => result === null)))
    throw new SemanticSqlError(arg, translationTexts.pathMeasure());
  const owner = withPlace(arg, () => findRoot(scope.index, fields));
  return createSpot(scope, call, { owner, aggregate, argument });
}
