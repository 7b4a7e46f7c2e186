import { elementAt } from '../../invariants/must.ts';
import type { Warn } from '../text/diagnostic.ts';
import { finish } from '../text/interruptible.ts';
import type { LexicalRules } from '../text/lexical-rules.ts';
import { findPosition, getLineMap } from '../text/line-map.ts';
import type { SqlDialect } from '../text/sql-dialect.ts';
import { checkCycle, createEmptyBlockError } from './evaluate/call-errors.ts';
import { settleDefaults } from './evaluate/evaluate.ts';
import { printCall, printCallKey } from './evaluate/print-call.ts';
import { checkQuotedParams } from './evaluate/quoted-params.ts';
import { createRunContext } from './evaluate/render.ts';
import { listSteps, type Statement } from './evaluate/steps.ts';
import { type BlockDefinition, createScriptDiagnostic, listBlocks, type Program } from './program/program.ts';
import { type BlockCall, isEffect, type Request } from './values/request.ts';
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

/** Compiles the steps of a run without a database. */
class Compiler {
  readonly steps: CompiledStep[] = [];
  readonly #context: RunContext;
  readonly #lexicalRules: LexicalRules;
  readonly #warn: Warn;
  #relations = 0;
  /** The calls that are being compiled. */
  readonly #open: BlockCall[] = [];

  constructor(program: Program, { dialect, lexicalRules, now, warn }: CompileOptions) {
    this.#context = createRunContext(program, dialect, now);
    this.#lexicalRules = lexicalRules;
    this.#warn = warn;
  }

  /**
   * Compiles the body of a block; `relation` is the name for its rows, if they are wanted. `caller` has the relations
   * of the calling statement, by the keys of their calls: the first statement shares them.
   */
  compile(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    call: string,
    relation: string | null,
    caller = new Map<string, string>(),
  ): void {
    const steps = listSteps(
      block.declaration.body,
      createScope(this.#context, block, args),
      this.#lexicalRules,
    );
    let last: Statement | null = null;
    const flush = () => {
      if (last !== null) this.#addStatement(last, call, null);
      last = null;
    };
    let relationNames = caller;
    for (let next = steps.next(); !next.done; ) {
      const step = next.value;
      if (step.kind === 'work') {
        next = steps.next(finish(step.work) ?? null);
        continue;
      }
      if (step.kind === 'request') {
        flush();
        next = steps.next(this.#answer(step.request, relationNames));
        if (isEffect(step.request)) relationNames = new Map();
        continue;
      }
      flush();
      relationNames = new Map();
      if (step.kind === 'statement') last = step.statement;
      else this.#compileCall(step.call, null);
      next = steps.next(null);
    }
    if (last !== null) this.#addStatement(last, call, relation);
    else if (relation !== null) throw createEmptyBlockError(elementAt(this.#open, -1));
  }

  /** Compiles a block as if it was called without arguments. */
  compileAlone(block: BlockDefinition): void {
    const { start, end } = block.declaration;
    const args = settleDefaults(block, this.#context);
    this.#compileCall({ block, args, site: { file: block.file, start, end } }, null);
  }

  /** The answer to a request; equal calls in one statement share a relation. */
  #answer(request: Request, relationNames: Map<string, string>): Value {
    if (request.kind !== 'call') {
      this.#addAction(request);
      return request.kind === 'rows' ? [] : null;
    }
    checkCycle(this.#open, request.call);
    const key = printCallKey(request.call);
    const name = relationNames.get(key) ?? `quern_${this.#relations + 1}`;
    if (!relationNames.has(key)) {
      this.#relations += 1;
      this.#compileCall(request.call, name, relationNames);
      relationNames.set(key, name);
    }
    return { kind: 'relation', name };
  }

  #compileCall(call: BlockCall, relation: string | null, caller?: Map<string, string>): void {
    const { block, args } = call;
    checkCycle(this.#open, call);
    this.#open.push(call);
    this.compile(block, args, printCall(call), relation, caller);
    this.#open.pop();
  }

  #addStatement(statement: Statement, call: string, relation: string | null): void {
    finish(checkQuotedParams(statement, this.#lexicalRules, this.#warn));
    const kind = relation === null ? 'statement' : 'relation';
    this.steps.push({ kind, call, relation, lines: listLines(statement) });
  }

  #addAction(request: Request): void {
    const { site } = request;
    const { rendered } = site.file.file;
    const text = rendered.text.slice(site.start, site.end);
    const { file, line } = createScriptDiagnostic(site.file.file, site, '');
    const [first = ''] = text.split('\n', 1);
    this.steps.push({
      kind: 'action',
      call: '',
      relation: null,
      lines: [{ text: first, file, line, block: '' }],
    });
  }
}

/**
 * The steps of a script: of its anonymous blocks or, without anonymous blocks, of each of its blocks and tests that
 * needs no argument. Throws a DiagnosticError.
 */
export function compileFile(
  program: Program,
  name: string,
  options: CompileOptions,
): readonly CompiledStep[] {
  const file = program.root.files.find((script) => script.file.rendered.source.name === name);
  if (file === undefined) throw new Error(`the package has no file ${name}`);
  const blocks = listBlocks(program.root, file);
  const anonymous = blocks.filter(({ kind }) => kind === 'anonymous');
  const compiler = new Compiler(program, options);
  for (const block of anonymous) compiler.compile(block, new Map(), '', null);
  if (anonymous.length === 0) {
    for (const block of blocks.filter(needsNothing)) compiler.compileAlone(block);
  }
  return compiler.steps;
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
