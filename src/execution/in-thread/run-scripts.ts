import type { Connection, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import { MissingSchemaError } from '../../engine/connection/contract/missing-schema.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { AskOwner } from '../../engine/run/publish/ask-owner.ts';
import { describeSchema } from '../../engine/run/publish/publication-log.ts';
import { createPublishLocks } from '../../engine/run/publish/publish-locks.ts';
import {
  publishesObjects,
  runBlock,
  runScript,
  type ScriptJob,
  type UnopenedJob,
} from '../../engine/run/run-script.ts';
import { runTests } from '../../engine/run/tests/run-tests.ts';
import { selectTests } from '../../engine/run/tests/select-tests.ts';
import { createRunContext } from '../../engine/script/evaluate/render.ts';
import { loadLongProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
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
    const program = await finishInPieces(loadLongProgram(work.snapshot, params, cache), session.signal);
    if (work.kind === 'tests') {
      const { selection, parallel, failFast } = work;
      const tests = selectTests(program, selection);
      const context = createRunContext(program, dialect, Number(session.clock() / 1_000_000n));
      return runTests({ ...session, tests, context, lexicalRules, parallel, failFast });
    }
    const publishing = {
      directory: limits.publishDirectory,
      staging: connection.sandbox?.staging ?? null,
      quota: limits.publishBytes === undefined ? null : { owner, bytes: limits.publishBytes },
      askOwner: session.askOwner,
      locks,
      database: printDatabase(connection),
    };
    const target = work.kind === 'block' ? work : { file: work.file };
    const unopened = { ...session, ...target, program, dialect, lexicalRules, publishing };
    const job = { ...unopened, connection: await open(unopened, session) };
    return 'block' in job ? runBlock(job) : runScript(job);
  };
}

/** Opens the session of a job, in a new schema if its own one does not exist and the job publishes into it. */
async function open(job: UnopenedJob, { connect, log, signal }: Session): Promise<Connection> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof MissingSchemaError) || !(await publishesObjects(job))) throw error;
    const started = performance.now();
    const lock = JSON.stringify([job.publishing.database, error.schema]);
    const connection = await job.publishing.locks.hold(lock, signal, () => connect(true));
    log.published.push(describeSchema(error.schema, started));
    return connection;
  }
}

/** Identifies the server or file of a connection; values that overrides choose are part of published names. */
function printDatabase({ kind, options }: ConnectionSpec): string {
  return JSON.stringify([kind, options]);
}
