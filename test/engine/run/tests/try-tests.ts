import type { ConnectionKind } from '../../../../src/engine/connection/contract/connection.ts';
import type { CanFailLimits, TriedTest } from '../../../../src/engine/run/outcome/can-fail-report.ts';
import { createNanoClock } from '../../../../src/engine/run/outcome/clock.ts';
import { tryTests } from '../../../../src/engine/run/tests/run-tests.ts';
import { createRunContext } from '../../../../src/engine/script/evaluate/render.ts';
import { Graph } from '../../../../src/engine/script/graph/graph.ts';
import { loadProgram } from '../../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../../src/engine/script/load/parse-cache.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../../src/engine/text/sql-dialect.ts';
import { never } from '../../connection/results.ts';
import { openScriptSession, type ScriptSession, toSnapshot } from '../script-session.ts';

const LIMITS: CanFailLimits = { maxRows: 10_000, timeoutMs: 600_000 };

/** Tries all tests of a script in a session. */
export async function tryScript(
  { connection }: ScriptSession,
  kind: ConnectionKind,
  script: string,
  limits: Partial<CanFailLimits> = {},
): Promise<readonly TriedTest[]> {
  const program = loadProgram(toSnapshot(script), {}, createParseCache());
  const tests = new Graph(program).nodes.filter((node) => node.kind === 'test');
  const tried: TriedTest[] = [];
  await tryTests({
    tests,
    connect: async () => connection,
    connectMore: async () => null,
    context: createRunContext(program, SQL_DIALECT[kind], Date.UTC(2026, 0, 1)),
    lexicalRules: LEXICAL_RULES[kind],
    clock: createNanoClock(),
    signal: never,
    warn: () => {},
    parallel: 1,
    failFast: false,
    ...LIMITS,
    ...limits,
    report: async (test) => void tried.push(test),
  });
  return tried;
}

/** Opens a session in which SQL statements have run. */
export async function openWith(kind: ConnectionKind, statements: readonly string[]): Promise<ScriptSession> {
  const session = await openScriptSession(kind);
  for (const statement of statements) await session.query(statement);
  return session;
}
