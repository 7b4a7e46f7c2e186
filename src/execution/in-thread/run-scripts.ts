import type { Connection, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { createPublishLocks } from '../../engine/run/publish/publish-locks.ts';
import { publishesObjects, runBlock, runScript, type UnopenedJob } from '../../engine/run/run-script.ts';
import { runTests, tryTests } from '../../engine/run/tests/run-tests.ts';
import { createRunContext } from '../../engine/script/evaluate/render.ts';
import { checkEnvironment } from '../../engine/script/graph/check-environment.ts';
import { Graph } from '../../engine/script/graph/graph.ts';
import { selectNodes, selectsChanged, selectTests } from '../../engine/script/graph/select.ts';
import {
  type LoadedSelection,
  loadLongProgram,
  loadLongSelection,
} from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { listDefinitions, type Program } from '../../engine/script/program/program.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from '../../engine/script/values/environment.ts';
import type { RunContext } from '../../engine/script/values/scope.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { LEXICAL_RULES, type LexicalRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import {
  type ExecutionRequest,
  findTextKind,
  type Inspection,
  type SqlWork,
  type Work,
} from '../contract/request.ts';
import { build, findChanged } from './build.ts';
import { openEnvironment, openForPublishing, type RunTools, type Session, writeLine } from './open-run.ts';

type ScriptWork = Exclude<Work, Inspection | SqlWork>;

/**
 * Runs work in the script language and caches parsed scripts. Resolves with the results of tests; null if none were
 * requested.
 */
export type RunScripts = (
  request: ExecutionRequest,
  work: ScriptWork,
  session: Session,
) => Promise<readonly TestResult[] | null>;

export function createRunScripts(): RunScripts {
  const cache = createParseCache();
  const locks = createPublishLocks();
  return async (request, work, session) => {
    const { params, connection, limits, owner } = request;
    const textKind = findTextKind(request);
    const lexicalRules = LEXICAL_RULES[textKind];
    const dialect = SQL_DIALECT[textKind];
    const { clock, signal } = session;
    const createContext = (program: Program, environment: RunEnvironment) =>
      createRunContext(program, dialect, Number(clock() / 1_000_000n), { environment });
    const publishing = {
      directory: limits.publishDirectory,
      staging: connection.sandbox?.staging ?? null,
      quota: limits.publishBytes === undefined ? null : { owner, bytes: limits.publishBytes },
      askOwner: session.askOwner,
      locks,
      database: printDatabase(connection),
    };
    const tools = { ...session, publishing, request, lexicalRules, createContext };
    if (work.kind === 'tests') {
      const { selection } = work;
      const loading = loadLongSelection(work.snapshot, params, cache, { selection, select: selectTests });
      return test(work, await finishInPieces(loading, signal), tools);
    }
    if (work.kind === 'build') {
      const loading = loadLongSelection(work.snapshot, params, cache, {
        selection: work.selection,
        select: selectNodes,
      });
      const loaded = await finishInPieces(loading, signal);
      return build(work, loaded, tools);
    }
    const program = await finishInPieces(loadLongProgram(work.snapshot, params, cache), signal);
    const target = work.kind === 'block' ? work : { file: work.file };
    const environment =
      request.environment === undefined
        ? NO_ENVIRONMENT
        : { ...NO_ENVIRONMENT, names: request.environment.names };
    const unopened = { ...session, ...target, program, dialect, lexicalRules, publishing, environment };
    const opened = await open(unopened, session);
    const job = {
      ...unopened,
      connection: opened,
      environment: await openEnvironment(request, opened, [], signal),
    };
    if (job.environment.names !== null) checkNames(createContext(program, job.environment), lexicalRules);
    return 'block' in job ? runBlock(job) : runScript(job);
  };
}

/** Checks the names of targets in everything that a script reaches. */
function checkNames(context: RunContext, lexicalRules: LexicalRules): void {
  const { program } = context;
  const packages = [...program.packages.values()];
  const all = packages.flatMap((owner) => owner.files.flatMap((file) => listDefinitions(owner, file)));
  checkEnvironment(new Graph(program), all, context, lexicalRules);
}

/** Runs tests, or tries which of them can fail: then, the answer is a line of JSON for each of them. */
async function test(
  work: Extract<Work, { kind: 'tests' }>,
  { graph, selected, warnings }: LoadedSelection,
  tools: RunTools,
): Promise<readonly TestResult[]> {
  const { request, lexicalRules, createContext, signal, warn } = tools;
  for (const warning of warnings) warn(warning);
  const connection = await tools.connect();
  const tests = selectsChanged(work.selection)
    ? selectTests(graph, work.selection, await findChanged(graph, connection, tools))
    : selected;
  const context = createContext(graph.program, await openEnvironment(request, connection, tests, signal));
  checkEnvironment(graph, graph.listDefinitions(tests), context, lexicalRules);
  const job = { ...tools, ...work, connect: async () => connection, tests, context };
  if (work.canFail === undefined) return runTests(job);
  await tryTests({ ...job, ...work.canFail, report: (tried) => writeLine(tools, tried) });
  return [];
}

/** Opens the session of a job, in a new schema if its own one does not exist and the job publishes into it. */
function open(job: UnopenedJob, session: Session): Promise<Connection> {
  return openForPublishing(session, job.publishing, () => publishesObjects(job));
}

/** Identifies the server or file of a connection; values that overrides choose are part of published names. */
function printDatabase({ kind, options }: ConnectionSpec): string {
  return JSON.stringify([kind, options]);
}
