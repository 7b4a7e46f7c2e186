import { notNull } from '../../invariants/must.ts';
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

/** A body that is being planned. */
interface Frame {
  readonly steps: ReturnType<typeof listSteps>;
  /** The call that it belongs to; null for the script itself. */
  readonly call: BlockCall | null;
  /** The name for its rows, if they are wanted. */
  readonly relation: string | null;
  /** The relations of the current statement, by the keys of their calls. */
  relationNames: Map<string, string>;
  last: OpenStatement | null;
  isGuess: boolean;
}

/**
 * Plans the steps of a run without a database. Calls are on a list, not on the stack: each step would pass through all
 * of them.
 */
class Planner {
  readonly #context: RunContext;
  readonly #lexicalRules: LexicalRules;
  #relations = 0;
  /** The bodies that are being planned, the outermost first. */
  readonly #frames: Frame[] = [];
  /** The answer to the last step of the innermost body. */
  #answer: Value = null;
  /** The blocks that were planned. */
  readonly planned = new Set<BlockDefinition['declaration']>();

  constructor(context: RunContext, lexicalRules: LexicalRules) {
    this.#context = context;
    this.#lexicalRules = lexicalRules;
  }

  /** Plans the body of a block of the script itself. */
  *plan(block: BlockDefinition): Planning {
    this.#frames.length = 0;
    this.#open(block, new Map(), { call: null, relation: null, relationNames: new Map() });
    yield* this.#run();
  }

  /** Plans a block as if it was called without arguments. */
  *planAlone(block: BlockDefinition): Planning {
    const { start, end } = block.declaration;
    const args = settleDefaults(block, this.#context);
    this.#frames.length = 0;
    this.#openCall({ block, args, site: { file: block.file, start, end } }, null);
    yield* this.#run();
  }

  /** Plans all open bodies; a called one that cannot be rendered ends early if the context leaves holes. */
  *#run(): Planning {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const depth = this.#frames.length;
      try {
        yield* this.#step(frame);
      } catch (error) {
        const isHole = this.#context.leavesHoles && error instanceof DiagnosticError;
        if (!isHole || depth === 1) throw error;
        this.#frames.length = depth;
        this.#close(frame);
      }
    }
  }

  *#step(frame: Frame): Planning {
    const next = takeNow(frame.steps, this.#answer);
    this.#answer = null;
    const { last } = frame;
    frame.last = null;
    if (next.done === true) {
      if (last !== null) yield toStep(last, frame, frame.relation);
      else if (frame.relation !== null) throw createEmptyBlockError(notNull(frame.call));
      this.#close(frame);
      return;
    }
    if (last !== null) yield toStep(last, frame, null);
    const step = next.value;
    if (step.kind === 'request') {
      if (step.request.kind !== 'call') yield { kind: 'action', site: step.request.site };
      this.#take(step.request, frame);
      return;
    }
    frame.relationNames = new Map();
    if (step.kind === 'statement') frame.last = { statement: step.statement, isGuess: frame.isGuess };
    else this.#openCall(step.call, null);
    frame.isGuess = false;
  }

  /** Answers a request, or opens the call that it makes; equal calls in one statement share a relation. */
  #take(request: Request, frame: Frame): void {
    if (request.kind === 'call') {
      const key = printCallKey(request.call);
      const known = frame.relationNames.get(key);
      if (known === undefined) {
        this.#relations += 1;
        const name = `quern_${this.#relations}`;
        this.#openCall(request.call, name, frame.relationNames);
      } else {
        checkCycle(this.#listCalls(), request.call);
        this.#answer = { kind: 'relation', name: known };
      }
      return;
    }
    frame.isGuess ||= request.kind === 'rows';
    if (request.kind === 'rows') this.#answer = [];
    if (isEffect(request)) frame.relationNames = new Map();
  }

  /** `caller` has the relations of the calling statement, which the first statement shares. */
  #openCall(call: BlockCall, relation: string | null, caller = new Map<string, string>()): void {
    checkCycle(this.#listCalls(), call);
    this.#open(call.block, call.args, { call, relation, relationNames: caller });
  }

  #open(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    frame: Pick<Frame, 'call' | 'relation' | 'relationNames'>,
  ): void {
    this.planned.add(block.declaration);
    const scope = createScope(this.#context, block, args);
    const steps = listSteps(block.declaration.body, scope, this.#lexicalRules);
    this.#frames.push({ ...frame, steps, last: null, isGuess: false });
  }

  /** Ends the innermost body; the one that has called it continues with the name of its rows. */
  #close({ call, relation }: Frame): void {
    this.#frames.pop();
    const caller = this.#frames.at(-1);
    if (relation === null || call === null || caller === undefined) return;
    caller.relationNames.set(printCallKey(call), relation);
    this.#answer = { kind: 'relation', name: relation };
  }

  #listCalls(): readonly BlockCall[] {
    return this.#frames.flatMap(({ call }) => call ?? []);
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

function toStep(open: OpenStatement, { call }: Frame, relation: string | null): PlannedStep {
  const kind = relation === null ? 'statement' : 'relation';
  return { kind, call: call === null ? '' : printCall(call), relation, ...open };
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
      ? anonymous.map((block) => planner.plan(block))
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
  for (const block of anonymous) yield* keepKnown(planner.plan(block));
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
