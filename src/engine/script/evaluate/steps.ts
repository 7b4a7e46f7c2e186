// Rendering yields the statements of a body one by one, as soon as each is complete, and its requests between them.
// The runner decides what a statement is for: to run it, to print it, or to check it.

import { elementAt } from '../../../invariants/must.ts';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { Span } from '../../text/span.ts';
import { cutStatements, splitLongText } from '../../text/sql-scanner.ts';
import { RenderedSql, type SourceLocation } from '../params/output.ts';
import { createScriptError, createVoidBlockError, isVoid } from '../program/program.ts';
import type { Body } from '../syntax/ast.ts';
import { type BlockCall, type CallSite, type Evaluation, isEffect, type Request } from '../values/request.ts';
import type { Scope } from '../values/scope.ts';
import type { Value } from '../values/value.ts';
import { renderBody } from './render.ts';

/** One rendered statement, without its `;`. */
export interface Statement {
  readonly sql: string;
  /** The offset in `sql` at which the author's statement starts, after a generated prefix. */
  readonly start: number;
  /** The position in the author's source for a span of `sql`. */
  findOrigin(span: Span): SourceLocation | null;
}

/**
 * One step of a body: a `statement` to run; a `void` block that is used as a separate statement; a `request` of the
 * rendering, which needs an answer; or `work` on long SQL, which the caller finishes at once or in pieces.
 */
export type Step =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'void'; readonly call: BlockCall }
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'work'; readonly work: Interruptible<void> };

/** A step except work, which is already finished. */
export type TakenStep = Exclude<Step, { readonly kind: 'work' }>;

/** The prefix of a call that is a whole statement, before the name of its relation. */
export const SELECT_ALL = 'SELECT * FROM ';
/** Number of characters from which the caller, who takes the steps, splits SQL into statements. */
const LONG = 64 * 1024;

/**
 * Renders a body and yields its steps in order: a statement as soon as it is complete, and a request after everything
 * before its statement. Throws a DiagnosticError, also for an effect within a statement.
 */
export function* listSteps(
  body: Body,
  scope: Scope,
  lexicalRules: LexicalRules,
): Generator<Step, void, Value> {
  const cutter = new StatementCutter(lexicalRules);
  const voids = new Map<string, BlockCall>();
  const rendering = guardDepth(renderBody(body, scope, cutter.output), body, scope);
  for (let next = rendering.next(); !next.done; ) {
    for (const span of yield* handOut(cutter.length, cutter.takeComplete()))
      yield toStep(cutter.output, span, voids);
    const request = next.value;
    if (request.kind === 'call' && isVoid(request.call.block)) {
      const name = `quern_void_${voids.size + 1}`;
      voids.set(name, request.call);
      next = rendering.next({ kind: 'relation', name });
    } else {
      const isWithin = isEffect(request) && (yield* handOut(cutter.length, cutter.hasOpen()));
      if (isWithin) throw createEffectError(request.site);
      next = rendering.next(yield { kind: 'request', request });
    }
  }
  for (const span of yield* handOut(cutter.length, cutter.takeAll()))
    yield toStep(cutter.output, span, voids);
}

/** Takes the next step, with the answer to the last one; finishes work in pieces. Rejects as `listSteps` throws. */
export async function takeStep(
  steps: ReturnType<typeof listSteps>,
  answer: Value,
  signal: AbortSignal,
): Promise<IteratorResult<TakenStep, void>> {
  let next = steps.next(answer);
  for (;;) {
    if (next.done === true) return next;
    const { value } = next;
    if (value.kind !== 'work') return { value };
    await finishInPieces(value.work, signal);
    next = steps.next(null);
  }
}

/** Finishes work on SQL of the given length; if it is long, yields the work to the caller. */
function* handOut<T>(length: number, work: Interruptible<T>): Generator<Step, T, Value> {
  if (length < LONG) return finish(work);
  const result: { readonly value: T }[] = [];
  function* keepResult(): Interruptible<void> {
    result.push({ value: yield* work });
  }
  yield { kind: 'work', work: keepResult() };
  return elementAt(result, 0).value;
}

/** The error for an effect within a statement, where its value would be needed. */
function createEffectError({ file, start, end }: CallSite) {
  const message =
    'this call has no value, so it cannot be within a statement: write it before the statement, with `;` after it';
  return createScriptError(file.file, { start, end }, message);
}

/** Converts a stack overflow to an error at the start of the body. */
function* guardDepth(rendering: Evaluation<void>, body: Body, { file }: Scope): Evaluation<void> {
  try {
    yield* rendering;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw createScriptError(
      file.file,
      { start: body.start, end: body.start + 1 },
      'this is nested too deeply to be rendered',
    );
  }
}

function toStep(output: RenderedSql, span: Span, voids: ReadonlyMap<string, BlockCall>): Step {
  const text = output.text.slice(span.start, span.end);
  const call = voids.get(text);
  if (call !== undefined) return { kind: 'void', call };
  for (const [name, { block, site }] of voids) {
    if (!text.includes(name)) continue;
    throw createVoidBlockError(block, site);
  }
  const prefix = output.isRelation(span) ? SELECT_ALL : '';
  return { kind: 'statement', statement: toStatement(output, span, prefix) };
}

function toStatement(output: RenderedSql, { start, end }: Span, prefix: string): Statement {
  const shift = start - prefix.length;
  return {
    sql: prefix + output.text.slice(start, end),
    start: 0,
    findOrigin: (span) =>
      output.findOrigin({
        start: Math.min(Math.max(span.start + shift, start), end),
        end: Math.min(Math.max(span.end + shift, start), end),
      }),
  };
}

/** Splits a growing output into statements. */
class StatementCutter {
  readonly output = new RenderedSql();
  readonly #lexicalRules: LexicalRules;
  /** The start of the incomplete statement, and the offset up to which it contains no `;`. */
  #start = 0;
  #searched = 0;

  constructor(lexicalRules: LexicalRules) {
    this.#lexicalRules = lexicalRules;
  }

  /** Characters of the output that is not split yet. */
  get length(): number {
    return this.output.length - this.#start;
  }

  /** The statements that are complete since the last call. */
  *takeComplete(): Interruptible<readonly Span[]> {
    const { text } = this.output;
    const hasEnd = text.includes(';', this.#searched);
    this.#searched = text.length;
    if (!hasEnd) return [];
    const { complete, open } = yield* cutStatements(text.slice(this.#start), this.#lexicalRules);
    const spans = complete.map((span) => this.#shift(span));
    this.#start = open === null ? text.length : this.#shift(open).start;
    return spans;
  }

  /** Whether a statement has started and not ended. */
  *hasOpen(): Interruptible<boolean> {
    const { open } = yield* cutStatements(this.output.text.slice(this.#start), this.#lexicalRules);
    return open !== null;
  }

  *takeAll(): Interruptible<readonly Span[]> {
    const remaining = this.output.text.slice(this.#start);
    const spans = yield* splitLongText(remaining, this.#lexicalRules);
    return spans.map((span) => this.#shift(span));
  }

  #shift({ start, end }: Span): Span {
    return { start: start + this.#start, end: end + this.#start };
  }
}
