import type { Connection, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import { createPublishLocks } from '../../engine/run/publish/publish-locks.ts';
import { runBlock, runScript, type ScriptJob } from '../../engine/run/run-script.ts';
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
  'answer' | 'recorder' | 'clock' | 'signal' | 'warn' | 'log' | 'connectMore'
> & {
  readonly connect: () => Promise<Connection>;
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
      quota: limits.publishQuota === undefined ? null : { ...limits.publishQuota, owner },
      locks,
      database: printDatabase(connection),
    };
    const job = {
      ...session,
      connection: await session.connect(),
      program,
      dialect,
      lexicalRules,
      publishing,
    };
    return work.kind === 'block' ? runBlock({ ...job, ...work }) : runScript({ ...job, file: work.file });
  };
}

/** Identifies the server or file of a connection; values that overrides choose are part of published names. */
function printDatabase({ kind, options }: ConnectionSpec): string {
  return JSON.stringify([kind, options]);
}
