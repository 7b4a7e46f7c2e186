import { createHash } from 'node:crypto';
import { notNull } from '../../../invariants/must.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import { checkCycle } from '../../script/evaluate/call-errors.ts';
import { printCallKey } from '../../script/evaluate/print-call.ts';
import { listSteps, type Statement, type TakenStep, takeStep } from '../../script/evaluate/steps.ts';
import { createScriptError, describeDefinition } from '../../script/program/program.ts';
import type { BlockCall } from '../../script/values/request.ts';
import { createScope, type RunContext } from '../../script/values/scope.ts';
import type { Value } from '../../script/values/value.ts';
import type { Warn } from '../../text/diagnostic.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { checkStatements } from './check-text.ts';
import {
  type CalledQuery,
  checkReadOnce,
  compose,
  findLoose,
  joinStatements,
  type NamedQuery,
  readsOnce,
} from './compose.ts';
import { typeNulls } from './typed-query.ts';

export interface InlineOptions {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly signal: AbortSignal;
  readonly warn: Warn;
}

/**
 * The single query of a block, preceded by the queries of all blocks that it calls, for views, which cannot depend on
 * temporary objects (docs/reference/calls.md#rows-of-a-block). Rejects with a DiagnosticError if this is impossible,
 * and with a StatementError.
 */
export async function inlineBlock(call: BlockCall, options: InlineOptions): Promise<Statement> {
  const namedQueries: CalledQuery[] = [];
  const namesByKey = new Map<string, string>();
  const open: BlockCall[] = [];
  const { context, connection, lexicalRules, signal, warn } = options;
  const canHoldOnce = connection.relations.runsOnce === 'all';
  const prefix = createPrefix(call);

  /** The typed query of one call, which reads the queries in `namedQueries`. */
  async function inline(callee: BlockCall): Promise<Statement> {
    open.push(callee);
    const statement = await render(callee);
    open.pop();
    const compose = async (typedQuery: Statement) => holdAll(typedQuery, namedQueries, lexicalRules);
    return typeNulls(statement, compose, connection.relations.nulls, signal);
  }

  async function render(callee: BlockCall): Promise<Statement> {
    const { body } = callee.block.declaration;
    const steps = listSteps(body, createScope(context, callee.block, callee.args), lexicalRules);
    const statements: Statement[] = [];
    for (let next = await takeStep(steps, null, signal); !next.done; ) {
      const step = next.value;
      if (step.kind === 'statement') statements.push(step.statement);
      const inner = findCall(step, callee);
      const answer: Value = inner === null ? null : { kind: 'relation', name: await name(inner) };
      next = await takeStep(steps, answer, signal);
    }
    const [statement] = statements;
    if (statement === undefined || statements.length > 1) throw createInlineError(callee);
    await finishInPieces(checkStatements([statement], lexicalRules, warn), signal);
    checkWhole(statement, lexicalRules);
    return statement;
  }

  async function name(callee: BlockCall): Promise<string> {
    checkCycle(open, callee);
    const key = printCallKey(callee);
    const existingName = namesByKey.get(key);
    if (existingName !== undefined) return existingName;
    const query = await inline(callee);
    const isRepeatable = await connection.relations.isRepeatable(query.sql, signal);
    const isOnce = !isRepeatable || (!canHoldOnce && readsOnce(query, namedQueries));
    const name = `${prefix}_${namedQueries.length + 1}`;
    namedQueries.push({ name, query, isOnce, call: callee });
    namesByKey.set(key, name);
    return name;
  }

  const main = await inline(call);
  if (canHoldOnce) return holdAll(main, namedQueries, lexicalRules);
  checkReadOnce(main, namedQueries);
  return holdAll(
    main,
    namedQueries.map((query) => ({ ...query, isOnce: false })),
    lexicalRules,
  );
}

/** A prefix that user names do not have. It is the same each time a block is published. */
function createPrefix({ block }: BlockCall): string {
  const hash = createHash('sha256').update(`${block.package.name}\0${block.name}`).digest('hex');
  return `quern_${hash.slice(0, 8)}`;
}

function holdAll(
  statement: Statement,
  namedQueries: readonly NamedQuery[],
  lexicalRules: LexicalRules,
): Statement {
  const composed = compose(statement, namedQueries, lexicalRules);
  if (composed !== null) return composed;
  const around = joinStatements(['SELECT * FROM (', statement, '\n) AS quern_all'], statement);
  return notNull(compose(around, namedQueries, lexicalRules));
}

/** The call that a step requests; null for a statement. Throws a DiagnosticError for any other step. */
function findCall(step: TakenStep, caller: BlockCall): BlockCall | null {
  if (step.kind === 'statement') return null;
  if (step.kind === 'void' || step.request.kind !== 'call') throw createInlineError(caller);
  return step.request.call;
}

/** Rejects SQL that is not a complete query but would be valid with the SQL around it. */
function checkWhole({ sql, findOrigin }: Statement, lexicalRules: LexicalRules): void {
  const at = findLoose(sql, lexicalRules);
  if (at === null) return;
  const origin = findOrigin({ start: at, end: at + 1 });
  if (origin === null) return;
  const message = 'this quote, comment or parenthesis is unmatched';
  throw new DiagnosticError([createDiagnostic(origin.rendered.source, origin.span, message, 'sql')]);
}

function createInlineError({ block, site }: BlockCall) {
  const message = `a published view cannot depend on temporary objects, so ${describeDefinition(block)} must be one query, without void blocks and loops over rows`;
  return createScriptError(site.file.file, site, message);
}
