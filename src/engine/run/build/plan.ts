import { existsSync } from 'node:fs';
import path from 'node:path';
import { notNull } from '../../../invariants/must.ts';
import { printCount } from '../../../invariants/print-count.ts';
import type { ColumnChanges } from '../../connection/contract/column-changes.ts';
import { type Connection, DatabaseError, type PublishedName } from '../../connection/contract/connection.ts';
import { readTexts } from '../../connection/contract/run-inner.ts';
import { settleDefaults, settlePublication } from '../../script/evaluate/evaluate.ts';
import { type Graph, isTarget, printNode } from '../../script/graph/graph.ts';
import { type BlockDefinition, createScriptDiagnostic } from '../../script/program/program.ts';
import { isFile, type Publication, printPlace, printPublishedName } from '../../script/values/publication.ts';
import type { RunContext } from '../../script/values/scope.ts';
import { DiagnosticError } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { BlockRunner } from '../blocks/block-runner.ts';
import { StatementError } from '../outcome/statement-error.ts';
import type { TargetAction } from '../outcome/target-report.ts';
import type { BuildState } from '../publish/build-state.ts';
import { checkTargets } from '../publish/check-targets.ts';
import { compareWithTable, findAddition } from '../publish/publish-rows.ts';
import { orderBuild } from './build-steps.ts';

/** What a build would do with a target (docs/reference/plan.md). */
export interface PlannedTarget {
  readonly name: string;
  readonly block: string;
  readonly package_name: string;
  /** Null without a database. */
  readonly action: TargetAction | null;
  readonly type: Publication['type'];
  /** Why the target is a part of the build. */
  readonly reason: string;
  /** Losses and changes, in sentences. */
  readonly changes: readonly string[];
  /** Why the columns are unknown; null if they are known, or if nothing depends on them. */
  readonly unknown: string | null;
  readonly file: string;
  readonly line: number;
}

export interface PlanJob {
  readonly graph: Graph;
  readonly selected: readonly BlockDefinition[];
  /** Why each of the selected blocks is selected. */
  readonly reasons: ReadonlyMap<BlockDefinition, string>;
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly fullRefresh: boolean;
  /** The folder for published files. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Thrown where the query of a block cannot be known without running something. */
class UnknownQueryError extends Error {}

/** The targets of a build in their order, without a database (docs/reference/plan.md#offline). */
export function planOffline({ graph, selected, reasons, context }: PlanJob): readonly PlannedTarget[] {
  return orderBuild(graph, selected)
    .filter(({ node }) => isTarget(node))
    .map(({ node }) => {
      const publication = notNull(settlePublication(node, context));
      return describe(node, publication, { context, reasons, action: null, changes: [], unknown: null });
    });
}

/**
 * What a build would do, in its order. No body runs, and nothing changes. Rejects with a DiagnosticError for targets that
 * cannot be built together.
 */
export async function planBuild(
  job: PlanJob,
  { connection, state }: { readonly connection: Connection; readonly state: BuildState },
): Promise<readonly PlannedTarget[]> {
  const { graph, selected, fullRefresh } = job;
  const targets = orderBuild(graph, selected)
    .map(({ node }) => node)
    .filter(isTarget);
  await checkTargets(targets, { fullRefresh, parallel: 1 }, { ...job, connection });
  const planning = new Planning(job, connection, state);
  const planned: PlannedTarget[] = [];
  for (const target of targets) planned.push(await planning.plan(target));
  return planned;
}

class Planning {
  readonly #job: PlanJob;
  readonly #connection: Connection;
  readonly #state: BuildState;
  readonly #runner: BlockRunner;
  /** The targets of the plan that will have other columns than they have now, by their blocks. */
  readonly #reshaped = new Set<BlockDefinition['declaration']>();
  readonly #planned = new Set<BlockDefinition['declaration']>();

  constructor(job: PlanJob, connection: Connection, state: BuildState) {
    this.#job = job;
    this.#connection = connection;
    this.#state = state;
    const refuse = () => Promise.reject(new UnknownQueryError('it stores the rows of other blocks first'));
    const { relations } = connection;
    this.#runner = new BlockRunner({
      ...job,
      connection: { ...connection, run: refuse, relations: { ...relations, createTable: refuse } },
      warn: () => undefined,
      effect: refuse,
      onRows: refuse,
    });
  }

  async plan(block: BlockDefinition): Promise<PlannedTarget> {
    const { context, directory } = this.#job;
    const publication = notNull(settlePublication(block, context));
    this.#planned.add(block.declaration);
    const { path: file, schema, name } = publication;
    if (file !== null) {
      const changes = existsSync(path.resolve(directory, file)) ? ['replaces the file'] : [];
      return describe(block, publication, { ...this.#job, action: 'write', changes, unknown: null });
    }
    const target = await this.#connection.publishing.resolve(schema, notNull(name), this.#job.signal);
    const found = await this.#connection.publishing.find(target, this.#job.signal);
    if (found === null) {
      this.#reshaped.add(block.declaration);
      const unknown = await this.#findMissing(block);
      return describe(block, publication, { ...this.#job, action: 'create', changes: [], unknown });
    }
    const action = this.#findAction(publication, found);
    const losses = await this.#listLosses(block, publication, { target, found, action });
    const unread = await this.#findUnread(block);
    const compared =
      unread !== null || found !== 'table' || publication.type === 'view'
        ? { changes: [], unknown: unread }
        : await this.#compare(block, publication, target, action);
    if (compared.changes.length > 0) this.#reshaped.add(block.declaration);
    const { changes, unknown } = compared;
    return describe(block, publication, { ...this.#job, action, changes: [...losses, ...changes], unknown });
  }

  #findAction(publication: Publication, found: 'table' | 'view'): TargetAction {
    const { incremental } = publication;
    const isKept = incremental === 'history' || !this.#job.fullRefresh;
    return incremental !== null && found === 'table' && isKept ? findAddition(publication) : 'replace';
  }

  /** What a replacement removes, and whether a build has made it. */
  async #listLosses(
    block: BlockDefinition,
    { type }: Publication,
    {
      target,
      found,
      action,
    }: {
      readonly target: PublishedName;
      readonly found: 'table' | 'view';
      readonly action: TargetAction;
    },
  ): Promise<readonly string[]> {
    const losses: string[] = [];
    if (!(await this.#state.isKnown(block, target, this.#connection))) losses.push('no build has made it');
    if (action !== 'replace') return losses;
    const isOther = found !== type;
    if (isOther) losses.push(`replaces a ${found} by a ${type}`);
    if (found === 'table') losses.push(`replaces ${await this.#countRows(target)}`);
    return losses;
  }

  async #countRows({ schema, name }: PublishedName): Promise<string> {
    const { printName } = this.#job.context.dialect;
    const { physicalConnection = this.#connection } = this.#connection;
    const type = this.#job.context.dialect.name === 'mysql' ? 'CHAR' : 'VARCHAR';
    const counted = `SELECT CAST(COUNT(*) AS ${type}) AS n FROM ${printName(schema)}.${printName(name)}`;
    const [[count] = []] = await readTexts(await physicalConnection.run(counted, this.#job.signal));
    return `${printCount(Number(count))} ${count === '1' ? 'row' : 'rows'}`;
  }

  /** Why a block cannot be read yet; null if each table that it reads has its final columns. */
  async #findUnread(block: BlockDefinition): Promise<string | null> {
    const reads = this.#job.graph
      .listReads(block)
      .filter(({ declaration }) => declaration !== block.declaration);
    const reshaped = reads.find(({ declaration }) => this.#reshaped.has(declaration));
    return reshaped === undefined
      ? this.#findMissing(block)
      : `unknown until ${printNode(reshaped)} is built`;
  }

  /** The first missing table that a block reads, unless the plan creates it, in a sentence. */
  async #findMissing(block: BlockDefinition): Promise<string | null> {
    const { graph, context, signal } = this.#job;
    for (const read of graph.listReads(block)) {
      if (this.#planned.has(read.declaration)) continue;
      const publication = settlePublication(read, context);
      if (publication === null || isFile(publication.type)) continue;
      const { schema, name } = publication;
      const target = await this.#connection.publishing.resolve(schema, notNull(name), signal);
      if ((await this.#connection.publishing.find(target, signal)) !== null) continue;
      const printed = printPublishedName(publication, context.dialect);
      return `unknown: it reads ${printed}, which does not exist and is not selected`;
    }
    return null;
  }

  async #compare(
    block: BlockDefinition,
    publication: Publication,
    target: PublishedName,
    action: TargetAction,
  ): Promise<Pick<PlannedTarget, 'changes' | 'unknown'>> {
    const { context, signal } = this.#job;
    const isReplaced = action === 'replace';
    const incremental = !isReplaced && action !== 'history';
    const scope = { target: printPublishedName(publication, context.dialect), incremental };
    try {
      const { last } = await this.#runner.walk(
        block,
        settleDefaults(block, context),
        () => Promise.reject(new UnknownQueryError('it runs other statements before its query')),
        scope,
      );
      if (last === null) throw new UnknownQueryError('it has no query');
      const changes = await this.#runner.use(last, ({ sql }) => {
        const rows = { target, query: sql, publication, now: context.now };
        return compareWithTable(this.#connection.publishing, rows, isReplaced, signal);
      });
      return { changes: printChanges(changes, isReplaced), unknown: null };
    } catch (error) {
      const cause = error instanceof StatementError ? error.cause : error;
      if (cause instanceof DatabaseError && cause.code === 'cancelled') throw error;
      const isKnown =
        cause instanceof UnknownQueryError ||
        cause instanceof DatabaseError ||
        cause instanceof DiagnosticError;
      if (!isKnown) throw error;
      return { changes: [], unknown: `unknown: ${cause.message}` };
    }
  }
}

/** The changes of columns in sentences. */
function printChanges(changes: ColumnChanges, isReplaced: boolean): readonly string[] {
  const { added, widened, dropped, ignored, refused } = changes;
  return [
    ...added.map(({ name, type }) => `adds the column \`${name}\` (${type})`),
    ...widened.map(({ name, from, type }) => `changes the column \`${name}\` from ${from} to ${type}`),
    ...dropped.map(({ name, type }) => `drops the column \`${name}\` (${type})`),
    ...ignored.map(({ name }) => `does not store the column \`${name}\``),
    ...refused.map((reason) => (isReplaced ? `changes a type: ${reason}` : `fails: ${reason}`)),
  ];
}

function describe(
  block: BlockDefinition,
  publication: Publication,
  {
    context,
    reasons,
    action,
    changes,
    unknown,
  }: Pick<PlanJob, 'context' | 'reasons'> & Pick<PlannedTarget, 'action' | 'changes' | 'unknown'>,
): PlannedTarget {
  const { declaration, file } = block;
  const place = createScriptDiagnostic(file.file, declaration.name ?? declaration, '');
  return {
    name: printPlace(publication, context.dialect),
    block: block.name,
    package_name: block.package.name,
    action,
    type: publication.type,
    reason: reasons.get(block) ?? 'selected',
    changes,
    unknown,
    file: place.file,
    line: place.line,
  };
}
