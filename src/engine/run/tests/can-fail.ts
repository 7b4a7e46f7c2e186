// Finds tests that cannot fail: a test runs on copies of the rows that it reads, with one damage at a time
// (docs/reference/can-fail.md). Copies and damaged rows are temporary; no target changes.

import { printCount } from '../../../invariants/print-count.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import { printCallKey } from '../../script/evaluate/print-call.ts';
import { printNode } from '../../script/graph/graph.ts';
import { type BlockDefinition, createScriptError, describeDefinition } from '../../script/program/program.ts';
import type { BlockRead } from '../../script/values/request.ts';
import type { BlockRunner } from '../blocks/block-runner.ts';
import type {
  CanFailLimits,
  DamageName,
  NoticedDamage,
  TriedTest,
  UntriedDamage,
} from '../outcome/can-fail-report.ts';
import { describeFailure } from '../outcome/describe-failure.ts';
import { readTable } from './compare-rows.ts';
import { type CopiedRows, copyRows } from './copy-rows.ts';
import { type Damage, listColumnDamages, listRowDamages, printUndamaged } from './damages.ts';
import { judgeTest, locateTest, type Verdict, withGivenRows } from './run-test.ts';

/** How often a test that noticed a damage runs on undamaged copies again: by then, chance has shown itself. */
const STEADY_RUNS = 5;

export interface CanFailOptions extends CanFailLimits {
  readonly connection: Connection;
  /** Ends the whole run. */
  readonly signal: AbortSignal;
  /** Creates a runner in the session of the connection. */
  readonly createRunner: (signal: AbortSignal) => BlockRunner;
}

type Findings = Pick<TriedTest, 'status' | 'message' | 'tried' | 'noticed' | 'not_tried'>;

/** Tries whether a test can fail. Rejects if the run is cancelled. */
export async function tryTest(test: BlockDefinition, options: CanFailOptions): Promise<TriedTest> {
  const { connection, signal, timeoutMs, createRunner } = options;
  const listTemporary = () => connection.relations.listTemporary(signal);
  const before = new Set((await listTemporary()).map(({ name }) => name));
  const deadline = AbortSignal.timeout(timeoutMs);
  const isLate = () => deadline.aborted && !signal.aborted;
  const runner = createRunner(AbortSignal.any([signal, deadline]));
  try {
    const findings = await withGivenRows(test, runner, (own) => tryDamages(test, own, options, isLate));
    return { ...locateTest(test), ...findings };
  } catch (error) {
    const reason = isLate()
      ? `takes longer than ${printLimit(options)}`
      : describeFailure(await runner.explain(error)).message;
    return { ...locateTest(test), ...notTried(reason) };
  } finally {
    // A test that was stopped leaves its relations; without a connection, they end by themselves.
    await listTemporary()
      .then((all) => all.filter(({ name }) => !before.has(name)))
      .then((left) => connection.relations.dropTemporary(left, signal))
      .catch(() => {});
  }
}

/** Copies what a test reads, and damages the copies. Rejects with the error of a copy, and if the time ends before it. */
async function tryDamages(
  test: BlockDefinition,
  runner: BlockRunner,
  { maxRows, timeoutMs }: CanFailLimits,
  isLate: () => boolean,
): Promise<Findings> {
  const reads = new Map<string, BlockRead>();
  const note = (read: BlockRead) => void reads.set(printCallKey(read.call), read);
  const normal = await judgeTest(test, runner.withCopies({ names: new Map(), note }));
  if (normal.status === 'FAILED') return notTried(`fails without damage: ${normal.message}`);
  if (reads.size === 0) return notTried('calls no block');
  const copies = new Map<string, CopiedRows>();
  for (const [key, read] of reads) copies.set(key, await copyOrExplain(read, maxRows, runner));
  if ([...copies.values()].every(({ count }) => count === 0)) return notTried('its blocks have no rows');
  const trial = new Trial(test, runner, copies);
  const undamaged = await trial.start();
  if (undamaged.status === 'FAILED') {
    return notTried(await explainCopies(undamaged, [...copies.values()], maxRows, runner));
  }
  const steps = listSteps(copies, runner);
  await trial.run(steps, isLate);
  return trial.finish(`in ${printLimit({ maxRows, timeoutMs })}`, isLate());
}

/** A damage of the rows that a call reads. */
interface DamageStep {
  readonly key: string;
  readonly copy: CopiedRows;
  readonly damage: Damage;
  readonly name: DamageName;
}

/** The damages of whole rows of each block, then those of columns. */
function listSteps(copies: ReadonlyMap<string, CopiedRows>, { session }: BlockRunner): readonly DamageStep[] {
  const { dialect } = session.context;
  return [listRowDamages, listColumnDamages].flatMap((list) =>
    [...copies].flatMap(([key, copy]) => {
      const block = printNode(copy.read.call.block);
      return list(copy, dialect).map((damage) => {
        const name = { block, column: damage.column, damage: damage.kind };
        return { key, copy, damage, name };
      });
    }),
  );
}

/** Runs one test on copies, and collects which damages it notices. */
class Trial {
  readonly #test: BlockDefinition;
  readonly #runner: BlockRunner;
  readonly #copies: ReadonlyMap<string, CopiedRows>;
  /** The relations of the undamaged rows, by the key of the call. */
  readonly #undamaged = new Map<string, string>();
  #wrongRows = 0;
  readonly #tried: DamageName[] = [];
  readonly #noticed: NoticedDamage[] = [];
  readonly #untried: UntriedDamage[] = [];

  constructor(test: BlockDefinition, runner: BlockRunner, copies: ReadonlyMap<string, CopiedRows>) {
    this.#test = test;
    this.#runner = runner;
    this.#copies = copies;
  }

  /** Runs the test on the undamaged copies. */
  async start(): Promise<Verdict> {
    const { dialect } = this.#runner.session.context;
    for (const [key, copy] of this.#copies) {
      const query = printUndamaged(copy, dialect);
      this.#undamaged.set(key, await this.#runner.store(copy.read.call.block, query, 'any'));
    }
    const verdict = await this.#judge(this.#undamaged);
    this.#wrongRows = verdict.rows ?? 0;
    return verdict;
  }

  /** Tries damages until the time ends; if the test notices none of them in one row, also in every row. */
  async run(steps: readonly DamageStep[], isLate: () => boolean): Promise<void> {
    for (const [at, step] of steps.entries()) {
      const outcome = await this.#try(step, step.damage.query).catch((error: unknown) => {
        if (!isLate()) throw error;
        return null;
      });
      if (outcome === null) {
        this.#untried.push(...steps.slice(at).map(({ name }) => ({ ...name, reason: 'time' as const })));
        return;
      }
      if (outcome === 'refused') this.#untried.push({ ...step.name, reason: 'refused' });
      else this.#tried.push(step.name);
      if (outcome === 'noticed') this.#noticed.push({ ...step.name, rows: 'one' });
    }
    if (this.#noticed.length === 0) await this.#runEverywhere(steps, isLate);
  }

  async #runEverywhere(steps: readonly DamageStep[], isLate: () => boolean): Promise<void> {
    for (const step of steps) {
      const { everywhere } = step.damage;
      if (everywhere === null) continue;
      const outcome = await this.#try(step, everywhere).catch((error: unknown) => {
        if (!isLate()) throw error;
        return null;
      });
      if (outcome === null) return;
      if (outcome === 'noticed') this.#noticed.push({ ...step.name, rows: 'all' });
    }
  }

  /** What the damages have shown; nothing if chance could have decided. */
  async finish(inTime: string, isLate: boolean): Promise<Findings> {
    const [tried, noticed, not_tried] = [this.#tried, this.#noticed, this.#untried];
    if (isLate && noticed.length === 0) {
      const message = `notices none of ${printCount(tried.length)} damages ${inTime}`;
      return { ...notTried(message), tried, not_tried };
    }
    if (!isLate && noticed.length > 0 && !(await this.#isSteady())) {
      return notTried('gives different results on the same rows');
    }
    const status = noticed.length === 0 ? 'CANNOT_FAIL' : 'CAN_FAIL';
    return { status, message: null, tried, noticed, not_tried };
  }

  /** Whether the test still passes on undamaged copies. */
  async #isSteady(): Promise<boolean> {
    for (let run = 0; run < STEADY_RUNS; run += 1) {
      const { status, rows } = await this.#judge(this.#undamaged);
      if (status === 'FAILED' || rows !== this.#wrongRows) return false;
    }
    return true;
  }

  async #try({ key, copy, damage }: DamageStep, query: string): Promise<'noticed' | 'unnoticed' | 'refused'> {
    const { block } = copy.read.call;
    const name = await orFailure(this.#runner.store(block, query, 'any'));
    if (name === null) return 'refused';
    const verdict = await this.#judge(new Map(this.#undamaged).set(key, name));
    const isError = verdict.status === 'FAILED' && verdict.rows === null;
    const isRefused = isError && damage.column !== null && !(await this.#canRead(copy, name, damage.column));
    await this.#runner.drop([name]);
    if (isRefused) return 'refused';
    const isNoticed = verdict.status === 'FAILED' || (verdict.rows ?? 0) > this.#wrongRows;
    return isNoticed ? 'noticed' : 'unnoticed';
  }

  /** Whether the damaged values of a column can be computed. */
  async #canRead({ read }: CopiedRows, relation: string, column: string): Promise<boolean> {
    const query = `SELECT ${this.#runner.session.context.dialect.quoteName(column)} FROM ${relation}`;
    const reading = this.#runner.readQuery(read.call.block, query, async (result) => {
      if (result.kind === 'rows') for await (const _ of result.chunks);
      return true;
    });
    return (await orFailure(reading)) ?? false;
  }

  #judge(names: ReadonlyMap<string, string>): Promise<Verdict> {
    return judgeTest(this.#test, this.#runner.withCopies({ names, note: () => {} }));
  }
}

/** Null for an error of the database in the work. */
async function orFailure<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    describeFailure(error);
    return null;
  }
}

async function copyOrExplain(read: BlockRead, maxRows: number, runner: BlockRunner): Promise<CopiedRows> {
  try {
    return await copyRows(read, maxRows, runner);
  } catch (error) {
    const { message } = describeFailure(await runner.explain(error));
    const what = describeDefinition(read.call.block);
    const { file, start, end } = read.call.site;
    throw createScriptError(file.file, { start, end }, `the rows of ${what} cannot be copied: ${message}`);
  }
}

/** Why a test does not pass on undamaged copies. */
async function explainCopies(
  { rows, message }: Verdict,
  copies: readonly CopiedRows[],
  maxRows: number,
  runner: BlockRunner,
): Promise<string> {
  const error = rows === null ? `: ${message}` : '';
  if (copies.every(({ count }) => count < maxRows)) return `fails on a copy of its rows${error}`;
  const totals: number[] = [];
  for (const { read, original } of copies) {
    const query = `SELECT COUNT(*) AS n FROM ${original}`;
    const { rows } = await runner.readQuery(read.call.block, query, readTable);
    totals.push(Number(rows[0]?.[0] ?? 0));
  }
  const total = totals.reduce((sum, one) => sum + one, 0);
  const copied = copies.reduce((sum, { count }) => sum + count, 0);
  return `fails on ${printCount(copied)} of ${printCount(total)} rows (--rows)${error}`;
}

function notTried(message: string): Findings {
  return { status: 'NOT_TRIED', message, tried: [], noticed: [], not_tried: [] };
}

function printLimit({ timeoutMs }: CanFailLimits): string {
  return `${printCount(timeoutMs / 1_000)} s (--can-fail-timeout)`;
}
