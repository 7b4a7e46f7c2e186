import type { Connection } from '../../engine/connection/contract/connection.ts';
import { BlockRunner } from '../../engine/run/blocks/block-runner.ts';
import { type BuildJob, runBuild } from '../../engine/run/build/build.ts';
import { type PlanJob, planBuild, planOffline } from '../../engine/run/build/plan.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { BuildState } from '../../engine/run/publish/build-state.ts';
import { checkEnvironment } from '../../engine/script/graph/check-environment.ts';
import { type Graph, isTarget } from '../../engine/script/graph/graph.ts';
import { explainSelection, selectNodes, selectsChanged } from '../../engine/script/graph/select.ts';
import type { LoadedSelection } from '../../engine/script/load/load-program.ts';
import { type BlockDefinition, createScriptError } from '../../engine/script/program/program.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from '../../engine/script/values/environment.ts';
import type { Request } from '../../engine/script/values/request.ts';
import type { RunContext } from '../../engine/script/values/scope.ts';
import type { Work } from '../contract/request.ts';
import { openEnvironment, openForPublishing, type RunTools, writeLine } from './open-run.ts';

type BuildWork = Extract<Work, { kind: 'build' }>;

/**
 * Publishes and tests, or plans that; the answer is a line of JSON for each target and test, when it ends, or for each
 * planned target.
 */
export async function build(
  work: BuildWork,
  loaded: LoadedSelection,
  tools: RunTools,
): Promise<readonly TestResult[]> {
  const { publishing, warn } = tools;
  for (const warning of loaded.warnings) warn(warning);
  if (work.mode === 'offline') {
    const { names = null } = tools.request.environment ?? {};
    const opened = open(work, loaded, { ...NO_ENVIRONMENT, names }, tools);
    const reasons = explainSelection(loaded.graph, work.selection, null);
    for (const target of planOffline({ ...opened, reasons })) await writeLine(tools, target);
    return [];
  }
  const publishesAny = async () => loaded.selected.some(isTarget);
  const connection =
    work.mode === 'plan' ? await tools.connect() : await openForPublishing(tools, publishing, publishesAny);
  const { graph } = loaded;
  const changed = selectsChanged(work.selection) ? await findChanged(graph, connection, tools) : null;
  const selected = changed === null ? loaded.selected : selectNodes(graph, work.selection, changed);
  const environment = await openEnvironment(tools.request, connection, selected, tools.signal);
  const opened = open(work, { graph, selected }, environment, tools);
  if (work.mode === 'run') return publishAndTest(work, opened, connection, tools);
  const reasons = explainSelection(graph, work.selection, changed);
  for (const target of await planBuild({ ...opened, reasons }, { connection, state: opened.state }))
    await writeLine(tools, target);
  return [];
}

/** A program with its selection, under the names of an environment. */
type OpenedBuild = Omit<PlanJob, 'reasons'> & Pick<BuildJob, 'state'>;

function open(
  { fullRefresh }: BuildWork,
  { graph, selected }: Pick<BuildJob, 'graph' | 'selected'>,
  environment: RunEnvironment,
  tools: RunTools,
): OpenedBuild {
  const { publishing, lexicalRules, createContext, signal } = tools;
  const context = createContext(graph.program, environment);
  checkEnvironment(graph, graph.listDefinitions(selected), context, lexicalRules);
  const { directory } = publishing;
  const state = openState(graph, context, tools);
  return { graph, selected, context, lexicalRules, fullRefresh, directory, signal, state };
}

function publishAndTest(
  work: BuildWork,
  opened: OpenedBuild,
  connection: Connection,
  tools: RunTools,
): Promise<readonly TestResult[]> {
  const job = { ...tools, ...work, ...opened };
  const createSession = (own: Connection) => {
    const runner = new BlockRunner({ ...job, connection: own, effect: refuseEffect });
    return { connection: own, runner };
  };
  return runBuild({
    ...job,
    ...tools.publishing,
    ...createSession(connection),
    isBuild: true,
    openSession: async () => {
      const another = await tools.connectMore();
      return another === null ? null : createSession(another);
    },
    report: (event) => writeLine(tools, event),
  });
}

/** The targets of a program that differ from what was published last (docs/reference/build.md#changed). */
export async function findChanged(
  graph: Graph,
  connection: Connection,
  tools: RunTools,
): Promise<ReadonlySet<BlockDefinition>> {
  const { request, createContext, signal } = tools;
  const { environment } = request;
  const own = { ...request, environment: environment && { names: environment.names } };
  const context = createContext(graph.program, await openEnvironment(own, connection, [], signal));
  const state = openState(graph, context, tools);
  const changed = new Set<BlockDefinition>();
  for (const target of graph.nodes.filter(isTarget)) {
    if (await state.isChanged(target, connection)) changed.add(target);
  }
  return changed;
}

function openState(
  graph: Graph,
  context: RunContext,
  { publishing, lexicalRules, signal, warn }: RunTools,
): BuildState {
  return new BuildState({ graph, context, lexicalRules, signal, warn, directory: publishing.directory });
}

async function refuseEffect({ site }: Pick<Request & { kind: 'publish' | 'test' }, 'site'>): Promise<never> {
  const message = 'a block of a build cannot publish blocks or run tests';
  throw createScriptError(site.file.file, site, message);
}
