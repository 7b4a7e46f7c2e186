import type { Connection } from '../../engine/connection/contract/connection.ts';
import { BlockRunner } from '../../engine/run/blocks/block-runner.ts';
import { runBuild } from '../../engine/run/build/build.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { BuildState } from '../../engine/run/publish/build-state.ts';
import { checkEnvironment } from '../../engine/script/graph/check-environment.ts';
import { type Graph, isTarget } from '../../engine/script/graph/graph.ts';
import { selectNodes, selectsChanged } from '../../engine/script/graph/select.ts';
import type { LoadedSelection } from '../../engine/script/load/load-program.ts';
import { type BlockDefinition, createScriptError } from '../../engine/script/program/program.ts';
import type { Request } from '../../engine/script/values/request.ts';
import type { Work } from '../contract/request.ts';
import { openEnvironment, openForPublishing, type RunTools } from './open-run.ts';

type BuildWork = Extract<Work, { kind: 'build' }>;

/** Publishes and tests; the answer is a line of JSON for each target and test, when it ends. */
export async function build(
  work: BuildWork,
  loaded: LoadedSelection,
  tools: RunTools,
): Promise<readonly TestResult[]> {
  const { publishing, request, lexicalRules, createContext, signal, warn, sink, connectMore } = tools;
  const { graph, warnings } = loaded;
  for (const warning of warnings) warn(warning);
  const connection = await openForPublishing(tools, publishing, async () => loaded.selected.some(isTarget));
  const { selection } = work;
  const selected = selectsChanged(selection)
    ? selectNodes(graph, selection, await findChanged(graph, connection, tools))
    : loaded.selected;
  const environment = await openEnvironment(request, connection, selected, signal);
  const context = createContext(graph.program, environment);
  checkEnvironment(graph, graph.listDefinitions(selected), context, lexicalRules);
  const state = new BuildState({
    graph,
    context,
    lexicalRules,
    signal,
    warn,
    directory: publishing.directory,
  });
  const job = { ...tools, ...work, context };
  const createSession = (own: Connection) => {
    const runner = new BlockRunner({ ...job, connection: own, effect: refuseEffect });
    return { connection: own, runner };
  };
  return runBuild({
    ...job,
    ...publishing,
    ...createSession(connection),
    graph,
    selected,
    state,
    isBuild: true,
    openSession: async () => {
      const another = await connectMore();
      return another === null ? null : createSession(another);
    },
    report: (event) => sink.write(Buffer.from(`${JSON.stringify(event)}\n`)),
  });
}

/** The targets of a program that differ from what was published last (docs/reference/build.md#changed). */
export async function findChanged(
  graph: Graph,
  connection: Connection,
  { publishing, request, lexicalRules, createContext, signal, warn }: RunTools,
): Promise<ReadonlySet<BlockDefinition>> {
  const { environment } = request;
  const own = { ...request, environment: environment && { names: environment.names } };
  const context = createContext(graph.program, await openEnvironment(own, connection, [], signal));
  const state = new BuildState({
    graph,
    context,
    lexicalRules,
    signal,
    warn,
    directory: publishing.directory,
  });
  const changed = new Set<BlockDefinition>();
  for (const target of graph.nodes.filter(isTarget)) {
    if (await state.isChanged(target, connection)) changed.add(target);
  }
  return changed;
}

async function refuseEffect({ site }: Pick<Request & { kind: 'publish' | 'test' }, 'site'>): Promise<never> {
  const message = 'a block of a build cannot publish blocks or run tests';
  throw createScriptError(site.file.file, site, message);
}
