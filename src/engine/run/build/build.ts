import { notNull } from '../../../invariants/must.ts';
import { settlePublication } from '../../script/evaluate/evaluate.ts';
import { type Graph, isTarget, printNode } from '../../script/graph/graph.ts';
import type { BlockDefinition } from '../../script/program/program.ts';
import { printPlace, printPublishedName } from '../../script/values/publication.ts';
import { startStopwatch } from '../outcome/clock.ts';
import { describeFailure } from '../outcome/describe-failure.ts';
import type { TargetResult } from '../outcome/target-report.ts';
import type { BuildTest, TestResult } from '../outcome/test-report.ts';
import { checkTargets } from '../publish/check-targets.ts';
import { checkMayPublish, warnOfBlock } from '../publish/publish.ts';
import { BlockPublisher, describeTarget, type PublisherOptions } from '../publish/publish-block.ts';
import { runOrdered } from '../publish/run-ordered.ts';
import { SessionPool, type WorkSession } from '../publish/session-pool.ts';
import { describeTest, runTest } from '../tests/run-test.ts';
import { openFailureStore } from '../tests/run-tests.ts';
import { type BuildStep, orderBuild } from './build-steps.ts';

/** The end of one target or test of a build. */
export type BuildEvent =
  | { readonly kind: 'target'; readonly target: TargetResult }
  | { readonly kind: 'test'; readonly test: BuildTest };

export interface BuildJob extends PublisherOptions {
  readonly graph: Graph;
  /** Blocks and tests; unpublished blocks do nothing. */
  readonly selected: readonly BlockDefinition[];
  /** Opens another session, which ends with the execution; null if another session is not allowed. */
  readonly openSession: () => Promise<WorkSession | null>;
  /** The number of targets and tests that run in parallel, each in its own session. */
  readonly parallel: number;
  /** Whether nothing starts after the first failure. */
  readonly failFast: boolean;
  /** Whether incremental tables are replaced completely. */
  readonly fullRefresh: boolean;
  /** The schema for the wrong rows of tests; undefined: they are not kept. */
  readonly storeFailures?: string | undefined;
  /** Receives each target and test when it ends. */
  readonly report: (event: BuildEvent) => void | Promise<void>;
}

/**
 * Publishes targets and runs tests in the order of the graph (docs/reference/build.md). A failure skips what depends on
 * it; the others still run. Resolves with the results of the tests that ran. Rejects with a DiagnosticError or a
 * StatementError before anything has started, and if it is cancelled.
 */
export async function runBuild(job: BuildJob): Promise<readonly TestResult[]> {
  const { graph, selected, fullRefresh, parallel, connection, log, warn } = job;
  const steps = orderBuild(graph, selected);
  const targets = steps.map(({ node }) => node).filter(isTarget);
  for (const block of targets) checkMayPublish(block, connection);
  for (const block of targets) warnOfBlock(block, warn);
  await checkTargets(targets, { fullRefresh, parallel }, job);
  await job.state.mark(targets, connection);
  for (const { name } of targets) log.waiting.add(name);
  return new Build(job, steps).run();
}

/** A failure that has a step, and what depends on it, skipped. */
interface Cause {
  /** The target or test that failed, by its name in reports, and what happened to it. */
  readonly name: string;
  readonly message: string;
}

class Build {
  readonly #job: BuildJob;
  readonly #steps: readonly BuildStep[];
  /** The failed and skipped steps for which others are skipped. */
  readonly #causes = new Map<BuildStep, Cause>();
  readonly #tests: TestResult[] = [];
  /** The targets of the build, by the declarations of their blocks. */
  readonly #targets: ReadonlySet<BlockDefinition['declaration']>;
  /** The failure after which nothing starts. */
  #stop: Cause | null = null;

  constructor(job: BuildJob, steps: readonly BuildStep[]) {
    this.#job = job;
    this.#steps = steps;
    this.#targets = new Set(steps.filter(({ node }) => isTarget(node)).map(({ node }) => node.declaration));
  }

  async run(): Promise<readonly TestResult[]> {
    const pool = new SessionPool(this.#job, [this.#job]);
    const listBefore = ({ reads, gates }: BuildStep) => [...reads, ...gates];
    await runOrdered(this.#steps, this.#job.parallel, listBefore, (step) => this.#runStep(step, pool));
    return this.#tests;
  }

  /** Runs or skips one step. Rejects only for what ends the build. */
  async #runStep(step: BuildStep, pool: SessionPool): Promise<void> {
    const cause = this.#findCause(step);
    if (cause !== null) return this.#skip(step, cause);
    const session = await pool.take();
    try {
      const missing = await this.#findMissing(step, session);
      if (missing !== null) await this.#skip(step, missing, null);
      else if (step.node.kind === 'test') await this.#test(step, session);
      else await this.#publish(step, session);
    } finally {
      pool.release(session);
    }
  }

  #findCause({ reads, gates }: BuildStep): Cause | null {
    if (this.#stop !== null) return this.#stop;
    const causes = [...gates, ...reads].map((step) => this.#causes.get(step));
    return causes.find((cause) => cause !== undefined) ?? null;
  }

  /** The first object that a test reads and that neither this build publishes nor an earlier one has. */
  async #findMissing({ node }: BuildStep, { connection }: WorkSession): Promise<Cause | null> {
    const { graph, context, signal } = this.#job;
    if (node.kind !== 'test') return null;
    for (const block of graph.listReads(node)) {
      if (this.#targets.has(block.declaration)) continue;
      const publication = settlePublication(block, context);
      if (publication === null || publication.path !== null) continue;
      const { schema, name } = publication;
      const target = await connection.publishing.resolve(schema, notNull(name), signal);
      if ((await connection.publishing.find(target, signal)) !== null) continue;
      const printed = printPublishedName(publication, context.dialect);
      return { name: printed, message: `${printed} does not exist, and is not selected` };
    }
    return null;
  }

  async #test(step: BuildStep, { connection, runner }: WorkSession): Promise<void> {
    const store = openFailureStore(this.#job, connection);
    const test = await runTest(step.node, runner, this.#job.clock, store);
    const hasFailed = test.status === 'FAILED';
    const cause = { name: printNode(step.node), message: `${step.node.name} failed` };
    this.#tests.push(test);
    const event = { kind: 'test', test: { ...test, because: null } } as const;
    await this.#end(step, event, hasFailed ? cause : null);
  }

  async #publish(step: BuildStep, session: WorkSession): Promise<void> {
    const publisher = new BlockPublisher(step.node, { ...this.#job, ...session }, this.#job.fullRefresh);
    try {
      const target = await publisher.publish();
      await this.#end(step, { kind: 'target', target }, null);
    } catch (error) {
      const { message, diagnostics } = describeFailure(await session.runner.explain(error));
      const target = publisher.describe({ status: 'FAILED', message, diagnostics });
      this.#job.log.addTarget(target);
      await this.#end(
        step,
        { kind: 'target', target },
        {
          name: target.name,
          message: `${target.name} failed`,
        },
      );
    }
  }

  /** Skips a step; what depends on it is skipped for `passedOn`. */
  async #skip(step: BuildStep, { name, message }: Cause, passedOn: Cause | null = { name, message }) {
    const { log, clock, context } = this.#job;
    const { node } = step;
    const watch = startStopwatch(clock);
    const end = { status: 'SKIPPED', message, because: name } as const;
    if (node.kind === 'test') {
      return this.#end(step, { kind: 'test', test: describeTest(node, watch, end) }, passedOn);
    }
    const printed = printPlace(notNull(settlePublication(node, context)), context.dialect);
    const target = describeTarget(node, printed, watch, end);
    log.waiting.delete(node.name);
    log.addTarget(target);
    return this.#end(step, { kind: 'target', target }, passedOn);
  }

  async #end(step: BuildStep, event: BuildEvent, cause: Cause | null): Promise<void> {
    if (cause !== null) this.#causes.set(step, cause);
    if (cause !== null && this.#job.failFast) this.#stop ??= cause;
    await this.#job.report(event);
  }
}
