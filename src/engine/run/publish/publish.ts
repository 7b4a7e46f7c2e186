import { entryOf } from '../../../invariants/must.ts';
import type { Connection } from '../../connection/contract/connection.ts';
import { checkWords } from '../../script/check/rules/known-words.ts';
import { describeQuotedParam, findPublicationParams } from '../../script/evaluate/quoted-params.ts';
import { Graph, isTarget } from '../../script/graph/graph.ts';
import { isPublished } from '../../script/graph/list-calls.ts';
import {
  type BlockDefinition,
  createScriptDiagnostic,
  createScriptError,
  findPublicationSpan,
  listBlocks,
  type Program,
} from '../../script/program/program.ts';
import type { Request } from '../../script/values/request.ts';
import type { Warn } from '../../text/diagnostic.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { findFailure } from '../outcome/describe-failure.ts';
import { StatementError } from '../outcome/statement-error.ts';
import { BuildState } from './build-state.ts';
import { checkTargets } from './check-targets.ts';
import { orderPublications, type PlannedPublication } from './publication-order.ts';
import { BlockPublisher, type PublisherOptions } from './publish-block.ts';
import { runOrdered } from './run-ordered.ts';
import { SessionPool, type WorkSession } from './session-pool.ts';

export interface PublishOptions extends Omit<PublisherOptions, 'state' | 'isBuild'> {
  readonly program: Program;
  readonly lexicalRules: LexicalRules;
  /** Opens another session, which ends with the execution; null if another session is not allowed. */
  readonly openSession: () => Promise<WorkSession | null>;
}

type PublishRequest = Extract<Request, { kind: 'publish' }>;

/**
 * Publishes the blocks of a request, each after the blocks that it reads (docs/reference/publishing.md#order,
 * docs/reference/library.md). Rejects with a DiagnosticError or a StatementError; earlier publications stay, and the
 * failed target is unchanged.
 */
export async function publish(request: PublishRequest, given: PublishOptions): Promise<void> {
  const { program } = given;
  const graph = new Graph(program);
  const options = { ...given, state: new BuildState({ ...given, graph }), isBuild: false };
  const wantedBlocks = listWanted(request);
  for (const block of wantedBlocks) checkMayPublish(block, options.connection);
  for (const block of [...listInPackages(request), ...request.blocks]) warnOfMetadata(block, options.warn);
  const plan = orderPublications(graph, wantedBlocks, request.site);
  await checkTargets(
    plan.map(({ block }) => block),
    request,
    options,
  );
  for (const { block } of plan) warnOfParams(block, options.warn);
  for (const { block } of plan) options.log.waiting.add(block.name);
  if (request.parallel === 1) {
    for (const { block } of plan) await publishOne(block, options, request);
    return;
  }
  const sessions = new SessionPool(options);
  const planned = new Map(plan.map((one) => [one.block.declaration, one]));
  const listReads = ({ reads }: PlannedPublication) =>
    reads.map(({ declaration }) => entryOf(planned, declaration));
  await runOrdered(plan, request.parallel, listReads, async ({ block }) => {
    const session = await sessions.take();
    try {
      await publishOne(block, { ...options, ...session }, request);
    } finally {
      sessions.release(session);
    }
  });
}

/** Publishes one block; a failure is in the log, too. Rejects as `BlockPublisher.publish`. */
async function publishOne(
  block: BlockDefinition,
  options: PublisherOptions,
  { fullRefresh }: PublishRequest,
): Promise<void> {
  const { log, runner } = options;
  const publisher = new BlockPublisher(block, options, fullRefresh);
  try {
    await publisher.publish();
  } catch (error) {
    const failure = findFailure(await runner.explain(error));
    if (failure !== null) log.addTarget(publisher.describe({ status: 'FAILED', ...failure }));
    throw error;
  }
}

/** Throws a StatementError at the publication of a block if the session may publish nothing. */
export function checkMayPublish(block: BlockDefinition, { publishing: { refusal } }: Connection): void {
  if (refusal === undefined) return;
  const span = findPublicationSpan(block, 'name');
  const { message } = refusal;
  throw new StatementError(
    refusal,
    createScriptDiagnostic(block.file.file, span, message, 'publication'),
    '',
  );
}

/** The blocks that a request publishes, unordered. Throws a DiagnosticError for a block without a publication. */
export function listWanted(request: PublishRequest): readonly BlockDefinition[] {
  const named = request.blocks.map((block) => {
    if (isPublished(block)) return block;
    throw createScriptError(
      request.site.file.file,
      request.site,
      `the block \`${block.name}\` has no \`:publication\``,
    );
  });
  const all = listInPackages(request);
  return [...all.filter(isTarget), ...named];
}

function listInPackages({ packages }: PublishRequest): readonly BlockDefinition[] {
  return packages.flatMap((owner) => owner.files.flatMap((file) => listBlocks(owner, file)));
}

/** Warns of unknown metadata, and of possible parameters without a value in the name of a published object. */
export function warnOfBlock(block: BlockDefinition, warn: Warn): void {
  warnOfMetadata(block, warn);
  warnOfParams(block, warn);
}

/** Warns of unknown metadata, such as a mistyped key, which the publication ignores. */
function warnOfMetadata({ declaration, file }: BlockDefinition, warn: Warn): void {
  checkWords(file, declaration, (script, span, message, severity) => {
    if (severity === 'warning')
      warn(createScriptDiagnostic(script.file, span, message, 'unknown-word', severity));
  });
}

/** Warns of possible parameters without a value in the name of a published object. */
function warnOfParams(block: BlockDefinition, warn: Warn): void {
  for (const param of findPublicationParams(block)) {
    warn(createScriptDiagnostic(block.file.file, param, describeQuotedParam(param), 'parameter', 'warning'));
  }
}
