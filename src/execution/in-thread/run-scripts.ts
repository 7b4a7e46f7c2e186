import type { Connection, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import { MissingSchemaError } from '../../engine/connection/contract/missing-schema.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { BlockRunner } from '../../engine/run/blocks/block-runner.ts';
import { type BuildJob, runBuild } from '../../engine/run/build/build.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { AskOwner } from '../../engine/run/publish/ask-owner.ts';
import { createPublishLocks } from '../../engine/run/publish/publish-locks.ts';
import {
  publishesObjects,
  runBlock,
  runScript,
  type ScriptJob,
  type UnopenedJob,
} from '../../engine/run/run-script.ts';
import { runTests } from '../../engine/run/tests/run-tests.ts';
import { createRunContext } from '../../engine/script/evaluate/render.ts';
import { checkEnvironment } from '../../engine/script/graph/check-environment.ts';
import { Graph, isTarget } from '../../engine/script/graph/graph.ts';
import { selectNodes, selectTests } from '../../engine/script/graph/select.ts';
import { loadLongProgram, loadLongSelection } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import {
  type BlockDefinition,
  createScriptError,
  listDefinitions,
  type Program,
} from '../../engine/script/program/program.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from '../../engine/script/values/environment.ts';
import type { Request } from '../../engine/script/values/request.ts';
import type { Diagnostic } from '../../engine/text/diagnostic.ts';
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

/** The tools for the work of one execution. */
export type Session = Pick<
  ScriptJob,
  'answer' | 'recorder' | 'clock' | 'signal' | 'warn' | 'log' | 'count' | 'connectMore'
> & {
  readonly connect: (createsSchema?: boolean) => Promise<Connection>;
  readonly askOwner: AskOwner;
  readonly sink: Pick<Sink, 'write'>;
};

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
    const { clock, signal, warn } = session;
    const createContext = (program: Program, environment: RunEnvironment) =>
      createRunContext(program, dialect, Number(clock() / 1_000_000n), { environment });
    if (work.kind === 'tests') {
      const job = { selection: work.selection, select: selectTests };
      const loading = loadLongSelection(work.snapshot, params, cache, job);
      const { graph, selected: tests, warnings } = await finishInPieces(loading, signal);
      for (const warning of warnings) warn(warning);
      const { parallel, failFast, storeFailures } = work;
      const connection = await session.connect();
      const context = createContext(graph.program, await openEnvironment(request, connection, tests, signal));
      checkEnvironment(graph, graph.listDefinitions(tests), context, lexicalRules);
      const connect = async () => connection;
      return runTests({
        ...session,
        connect,
        tests,
        context,
        lexicalRules,
        parallel,
        failFast,
        storeFailures,
      });
    }
    const publishing = {
      directory: limits.publishDirectory,
      staging: connection.sandbox?.staging ?? null,
      quota: limits.publishBytes === undefined ? null : { owner, bytes: limits.publishBytes },
      askOwner: session.askOwner,
      locks,
      database: printDatabase(connection),
    };
    if (work.kind === 'build') {
      const job = { selection: work.selection, select: selectNodes };
      const loading = loadLongSelection(work.snapshot, params, cache, job);
      const loaded = await finishInPieces(loading, signal);
      const { graph, selected } = loaded;
      const publishesAny = async () => selected.some(isTarget);
      const connection = await openForPublishing(session, publishing, publishesAny);
      const environment = await openEnvironment(request, connection, selected, signal);
      const context = createContext(graph.program, environment);
      checkEnvironment(graph, graph.listDefinitions(selected), context, lexicalRules);
      return build({ ...session, ...work, ...loaded, connection, context, lexicalRules, publishing });
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
    const all = [...program.packages.values()].flatMap((owner) =>
      owner.files.flatMap((file) => listDefinitions(owner, file)),
    );
    checkEnvironment(new Graph(program), all, createContext(program, job.environment), lexicalRules);
    return 'block' in job ? runBlock(job) : runScript(job);
  };
}

/** Opens the session of a job, in a new schema if its own one does not exist and the job publishes into it. */
function open(job: UnopenedJob, session: Session): Promise<Connection> {
  return openForPublishing(session, job.publishing, () => publishesObjects(job));
}

/** The environment of a run with its session; targets outside `selected` are read from the one that it defers to. */
async function openEnvironment(
  { environment }: ExecutionRequest,
  connection: Connection,
  selected: readonly BlockDefinition[],
  signal: AbortSignal,
): Promise<RunEnvironment> {
  if (environment === undefined) return NO_ENVIRONMENT;
  const { names, deferred } = environment;
  const { schema } = await connection.publishing.resolve(null, 'quern', signal);
  const chosen = new Set(selected.map(({ declaration }) => declaration));
  return {
    names,
    currentSchema: schema,
    deferred: deferred === undefined ? null : { ...deferred, selected: chosen },
  };
}

async function openForPublishing(
  { connect, log, signal }: Session,
  { locks, database }: Pick<UnopenedJob['publishing'], 'locks' | 'database'>,
  publishesAny: () => Promise<boolean>,
): Promise<Connection> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof MissingSchemaError) || !(await publishesAny())) throw error;
    const lock = JSON.stringify([database, error.schema]);
    const connection = await locks.hold(lock, signal, () => connect(true));
    log.schemas.push(error.schema);
    return connection;
  }
}

/** A build whose first session is open. */
interface OpenedBuild
  extends Session,
    Pick<
      BuildJob,
      'graph' | 'selected' | 'parallel' | 'failFast' | 'fullRefresh' | 'storeFailures' | 'context'
    > {
  readonly connection: Connection;
  readonly lexicalRules: LexicalRules;
  readonly publishing: UnopenedJob['publishing'];
  readonly warnings: readonly Diagnostic[];
}

/** Publishes and tests; the answer is a line of JSON for each target and test, when it ends. */
async function build({ publishing, warnings, ...job }: OpenedBuild): Promise<readonly TestResult[]> {
  const { connection, warn, sink, connectMore } = job;
  for (const warning of warnings) warn(warning);
  const createSession = (connection: Connection) => {
    return { connection, runner: new BlockRunner({ ...job, connection, effect: refuseEffect }) };
  };
  return runBuild({
    ...job,
    ...publishing,
    ...createSession(connection),
    openSession: async () => {
      const another = await connectMore();
      return another === null ? null : createSession(another);
    },
    report: (event) => sink.write(Buffer.from(`${JSON.stringify(event)}\n`)),
  });
}

async function refuseEffect({ site }: Pick<Request & { kind: 'publish' | 'test' }, 'site'>): Promise<never> {
  const message = 'a block of a build cannot publish blocks or run tests';
  throw createScriptError(site.file.file, site, message);
}

/** Identifies the server or file of a connection; values that overrides choose are part of published names. */
function printDatabase({ kind, options }: ConnectionSpec): string {
  return JSON.stringify([kind, options]);
}
