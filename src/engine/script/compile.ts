import { elementAt } from '../../invariants/must.ts';
import { DiagnosticError, type Warn } from '../text/diagnostic.ts';
import { finish } from '../text/interruptible.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import { findPosition, getLineMap } from '../text/line-map.ts';
import type { SqlDialect } from '../text/sql-dialect.ts';
import { checkCycle, createEmptyBlockError } from './evaluate/call-errors.ts';
import { settleDefaults } from './evaluate/evaluate.ts';
import { printCall, printCallKey } from './evaluate/print-call.ts';
import { checkQuotedParams } from './evaluate/quoted-params.ts';
import { createRunContext, HOLE } from './evaluate/render.ts';
import { listSteps, type Statement, type TakenStep } from './evaluate/steps.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  type LinkedFile,
  listBlocks,
  type Package,
  type Program,
} from './program/program.ts';
import { type BlockCall, type CallSite, isEffect, type Request } from './values/request.ts';
import { createScope, type RunContext } from './values/scope.ts';
import type { Value } from './values/value.ts';

/** A line of rendered SQL with its origin: the 1-based `line`, and the name of the block or macro, if it has one. */
interface CompiledLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly block: string;
}

/**
 * One step of a run: a `statement`; the last statement of a block (`relation`), whose rows get the name `relation`; or
 * an `action` of the library. `call` is the call that causes the step; empty for the script's own steps.
 */
export interface CompiledStep {
  readonly kind: 'statement' | 'relation' | 'action';
  readonly call: string;
  readonly relation: string | null;
  readonly lines: readonly CompiledLine[];
}

interface CompileOptions {
  readonly dialect: SqlDialect;
  readonly lexicalRules: LexicalRules;
  /** The time of the execution, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly warn: Warn;
}

/**
 * A step before it is printed. `isGuess`: the statement has a loop over the rows of a block, which are unknown without a
 * database.
 */
type PlannedStep =
  | (Pick<CompiledStep, 'call' | 'relation'> & {
      readonly kind: 'statement' | 'relation';
      readonly statement: Statement;
      readonly isGuess: boolean;
    })
  | { readonly kind: 'action'; readonly site: CallSite };

type Planning = Generator<PlannedStep, void, undefined>;

/** A statement that another step may follow. */
type OpenStatement = Pick<Extract<PlannedStep, { readonly statement: unknown }>, 'statement' | 'isGuess'>;

/** Plans the steps of a run without a database. */
class Planner {
  readonly #context: RunContext;
  readonly #lexicalRules: LexicalRules;
  #relations = 0;
  /** The calls that are being planned. */
  readonly #open: BlockCall[] = [];
  /** The blocks that were planned. */
  readonly planned = new Set<BlockDefinition['declaration']>();

  constructor(context: RunContext, lexicalRules: LexicalRules) {
    this.#context = context;
    this.#lexicalRules = lexicalRules;
  }

  /**
   * Plans the body of a block; `relation` is the name for its rows, if they are wanted. `caller` has the relations of the
   * calling statement, by the keys of their calls: the first statement shares them.
   */
  *plan(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    call: string,
    relation: string | null,
    caller = new Map<string, string>(),
  ): Planning {
    this.planned.add(block.declaration);
    const steps = listSteps(
      block.declaration.body,
      createScope(this.#context, block, args),
      this.#lexicalRules,
    );
    let last: OpenStatement | null = null;
    let relationNames = caller;
    let isGuess = false;
    for (let next = takeNow(steps, null); !next.done; ) {
      const step = next.value;
      if (last !== null) yield toStep(last, call, null);
      last = null;
      if (step.kind === 'request') {
        isGuess ||= step.request.kind === 'rows';
        next = takeNow(steps, yield* this.#answer(step.request, relationNames));
        if (isEffect(step.request)) relationNames = new Map();
        continue;
      }
      relationNames = new Map();
      if (step.kind === 'statement') last = { statement: step.statement, isGuess };
      else yield* this.#planCall(step.call, null);
      isGuess = false;
      next = takeNow(steps, null);
    }
    if (last !== null) yield toStep(last, call, relation);
    else if (relation !== null) throw createEmptyBlockError(elementAt(this.#open, -1));
  }

  /** Plans a block as if it was called without arguments. */
  *planAlone(block: BlockDefinition): Planning {
    const { start, end } = block.declaration;
    const args = settleDefaults(block, this.#context);
    yield* this.#planCall({ block, args, site: { file: block.file, start, end } }, null);
  }

  /** The answer to a request; equal calls in one statement share a relation. */
  *#answer(request: Request, relationNames: Map<string, string>): Generator<PlannedStep, Value, undefined> {
    if (request.kind !== 'call') {
      yield { kind: 'action', site: request.site };
      return request.kind === 'rows' ? [] : null;
    }
    const key = printCallKey(request.call);
    const name = relationNames.get(key) ?? `quern_${this.#relations + 1}`;
    if (!relationNames.has(key)) {
      this.#relations += 1;
      yield* this.#orHole(this.#planCall(request.call, name, relationNames));
      relationNames.set(key, name);
    } else checkCycle(this.#open, request.call);
    return { kind: 'relation', name };
  }

  /** Plans a call; without the rest of its steps if they cannot be rendered and the context leaves holes. */
  *#orHole(steps: Planning): Planning {
    const depth = this.#open.length;
    try {
      yield* steps;
    } catch (error) {
      if (!this.#context.leavesHoles || !(error instanceof DiagnosticError)) throw error;
      this.#open.length = depth;
    }
  }

  *#planCall(call: BlockCall, relation: string | null, caller?: Map<string, string>): Planning {
    const { block, args } = call;
    checkCycle(this.#open, call);
    this.#open.push(call);
    yield* this.plan(block, args, printCall(call), relation, caller);
    this.#open.pop();
  }
}

/** Takes the next step, with the answer to the last one; finishes work without a pause. */
function takeNow(steps: ReturnType<typeof listSteps>, answer: Value): IteratorResult<TakenStep, void> {
  let next = steps.next(answer);
  for (;;) {
    if (next.done === true) return next;
    const { value } = next;
    if (value.kind !== 'work') return { value };
    finish(value.work);
    next = steps.next(null);
  }
}

function toStep(open: OpenStatement, call: string, relation: string | null): PlannedStep {
  return { kind: relation === null ? 'statement' : 'relation', call, relation, ...open };
}

/**
 * The steps of a script: of its anonymous blocks or, without anonymous blocks, of each of its blocks and tests that
 * needs no argument. Throws a DiagnosticError.
 */
export function compileFile(
  program: Program,
  name: string,
  { dialect, lexicalRules, now, warn }: CompileOptions,
): readonly CompiledStep[] {
  const file = program.root.files.find((script) => script.file.rendered.source.name === name);
  if (file === undefined) throw new Error(`the package has no file ${name}`);
  const planner = new Planner(createRunContext(program, dialect, now), lexicalRules);
  const blocks = listBlocks(program.root, file);
  const anonymous = blocks.filter(({ kind }) => kind === 'anonymous');
  const plans =
    anonymous.length > 0
      ? anonymous.map((block) => planner.plan(block, new Map(), '', null))
      : blocks.filter(needsNothing).map((block) => planner.planAlone(block));
  return plans.flatMap((plan) =>
    [...plan].map((step) => {
      if (step.kind === 'action') return printAction(step.site);
      const { kind, call, relation, statement } = step;
      finish(checkQuotedParams(statement, lexicalRules, warn));
      return { kind, call, relation, lines: listLines(statement) };
    }),
  );
}

/**
 * The statements of scripts that can be known without a database and without further values: those of their anonymous
 * blocks, and of their blocks and tests that need no argument. What cannot be rendered is left out.
 */
export function* listKnownStatements(
  program: Program,
  files: readonly (readonly [Package, LinkedFile])[],
  { dialect, lexicalRules, now }: Omit<CompileOptions, 'warn'>,
): Generator<Statement, void, undefined> {
  const planner = new Planner(createRunContext(program, dialect, now, { leavesHoles: true }), lexicalRules);
  const blocks = files.flatMap(([owner, file]) => listBlocks(owner, file));
  const [anonymous, named] = [
    blocks.filter(({ kind }) => kind === 'anonymous'),
    blocks.filter((block) => block.kind !== 'anonymous' && needsNothing(block)),
  ];
  for (const block of anonymous) yield* keepKnown(planner.plan(block, new Map(), '', null));
  for (const block of named) {
    if (!planner.planned.has(block.declaration)) yield* keepKnown(planner.planAlone(block));
  }
}

/** The statements of steps, up to the first error. */
function* keepKnown(steps: Planning): Generator<Statement, void, undefined> {
  try {
    for (const step of steps) {
      if (step.kind === 'action' || step.isGuess || step.statement.sql.includes(HOLE)) continue;
      yield step.statement;
    }
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
  }
}

function printAction(site: CallSite): CompiledStep {
  const { rendered } = site.file.file;
  const [text = ''] = rendered.text.slice(site.start, site.end).split('\n', 1);
  const { file, line } = createScriptDiagnostic(site.file.file, site, '');
  return { kind: 'action', call: '', relation: null, lines: [{ text, file, line, block: '' }] };
}

function needsNothing({ declaration }: BlockDefinition): boolean {
  return declaration.params.every((param) => param.default !== null);
}
/** The lines of a statement; the origin of a line is that of its first non-blank character. */
function listLines({ sql, findOrigin }: Statement): readonly CompiledLine[] {
  let start = 0;
  return sql.split('\n').map((text) => {
    const at = start + Math.max(0, text.search(/\S/));
    start += text.length + 1;
    const origin = findOrigin({ start: at, end: at });
    if (origin === null) return { text, file: '', line: 0, block: '' };
    const { source } = origin.rendered;
    const { line } = findPosition(getLineMap(source), origin.span.start);
    return { text: text.replace(/\r$/, ''), file: source.name, line, block: origin.block };
  });
}
