import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ConnectionTestBody } from '../../bodies/connection-test-body.ts';
import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import { MEMORY } from '../../engine/connection/duckdb/instance/options.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../execution/contract/request.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors } from '../api/errors.ts';
import { type ExecutionFolders, SPOOL_BYTES, toCaller } from './collect-work.ts';

/** The milliseconds of a test, unless its caller sets a limit. */
const PATIENCE_MS = 15_000;
/** After these milliseconds more, the engine counts as stuck. */
const GRACE_MS = 5_000;
/** Every database answers this. */
const QUESTION = { name: 'test', text: 'SELECT version() AS version' };

/** How a test runs. */
interface ConnectionTestRun {
  readonly id: string;
  readonly principal: Principal;
  readonly folders: ExecutionFolders;
  readonly patienceMs?: number | undefined;
  /** Whether the engine may open a file; if not, the test does not open it either. */
  readonly mayOpen: (file: string) => boolean;
  readonly run: (request: ExecutionRequest, sink: Sink) => Promise<ExecutionOutcome>;
}

/**
 * Tests a connection: looks up its server, connects, signs in, and asks for the version. A database file that does not
 * exist is not created. Rejects with a ServiceError 503 if the test cannot run.
 */
export async function runConnectionTest(
  spec: ConnectionSpec,
  { id, principal, folders, patienceMs = PATIENCE_MS, mayOpen, run }: ConnectionTestRun,
): Promise<ConnectionTestBody> {
  const examined = spec.kind === 'duckdb' ? examineFile(spec, mayOpen) : { spec, step: null };
  if (examined.step?.outcome === 'failed') return toUnopened(examined.step);
  const parts: Uint8Array[] = [];
  const request: ExecutionRequest = {
    id,
    ...toCaller(principal),
    name: `test of ${spec.name}`,
    work: { kind: 'sql', source: QUESTION, isGenerated: true },
    params: {},
    connection: spec.kind === 'duckdb' ? spillTo(examined.spec, folders.spoolDirectory) : spec,
    format: 'json',
    encoder: {},
    testPatience: patienceMs,
    limits: {
      ...folders,
      spoolBytes: SPOOL_BYTES,
      timeoutMs: patienceMs + GRACE_MS,
      timeoutSource: 'the test',
      maxRows: null,
      maxSessions: null,
    },
  };
  const outcome = await run(request, { write: (bytes) => void parts.push(Buffer.from(bytes)) });
  if (outcome.status === 'failed') throw runErrors.notTested(outcome.error.message);
  const body: ConnectionTestBody = JSON.parse(Buffer.concat(parts).toString('utf8'));
  const { step } = examined;
  return step === null ? body : { ...body, steps: [step, ...body.steps.slice(1)] };
}

function spillTo({ options, ...spec }: ConnectionSpec, folder: string): ConnectionSpec {
  return { ...spec, options: { ...options, temp_directory: folder } };
}

type Step = ConnectionTestBody['steps'][number];

/**
 * Looks for the file of a database, with the connection to open and the step to report, if any: a file that does not
 * exist is not created, and one that the engine cannot open yet stays closed. A database in memory takes its place.
 */
function examineFile(
  spec: ConnectionSpec,
  mayOpen: (file: string) => boolean,
): { readonly spec: ConnectionSpec; readonly step: Step | null } {
  const { file = MEMORY } = spec.options;
  if (file === MEMORY) return { spec, step: null };
  const instead = { ...spec, options: { ...spec.options, file: MEMORY } };
  const note = (message: string) => ({ spec: instead, step: toStep('passed', message, null) });
  const folder = path.dirname(file);
  if (!existsSync(folder)) {
    return { spec, step: toStep('failed', `There is no folder ${folder}.`, 'unreachable') };
  }
  if (!existsSync(file)) return note('The file does not exist: the first run creates it.');
  return mayOpen(file)
    ? { spec, step: null }
    : note('The file exists. The server opens it after the connection is stored.');
}

function toStep(outcome: Step['outcome'], message: string | null, code: string | null): Step {
  return { step: 'resolve', outcome, duration_ms: 0, message, code };
}

/** A test that ended with its first step. */
function toUnopened(first: Step): ConnectionTestBody {
  const others = (['connect', 'sign_in', 'ask'] as const).map((step) => {
    return { ...toStep('skipped', null, null), step };
  });
  return { passed: false, version: null, duration_ms: 0, steps: [first, ...others] };
}

/** A test without the paths of the machine, for users other than administrators. */
export function hideTestFiles(body: ConnectionTestBody, { name, kind }: ConnectionSpec): ConnectionTestBody {
  if (kind !== 'duckdb') return body;
  const message = `the database of the connection ${name} cannot be opened now`;
  const steps = body.steps.map((step) => (step.outcome === 'failed' ? { ...step, message } : step));
  return { ...body, steps };
}
