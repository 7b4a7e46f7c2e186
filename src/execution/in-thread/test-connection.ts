import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { ConnectionTestBody } from '../../bodies/connection-test-body.ts';
import { type Connection, DatabaseError } from '../../engine/connection/contract/connection.ts';
import { resolveOptions } from '../../engine/connection/contract/kind.ts';
import { readTexts } from '../../engine/connection/contract/run-inner.ts';
import { KINDS } from '../../engine/connection/kinds.ts';
import { describeConnectFailure } from '../../engine/connection/server/tls.ts';
import { untilAborted } from '../../engine/text/finish-in-pieces.ts';
import type { ExecutionRequest } from '../contract/request.ts';

type Step = ConnectionTestBody['steps'][number];

/** The steps, in their order. */
const STEPS: readonly Step['step'][] = ['resolve', 'connect', 'sign_in', 'ask'];

/** Returns a fact about the step for people, or null; undefined for a step that the connection does not have. */
type TakeStep = () => Promise<string | null | undefined>;

/** The maximum of printed addresses of a host. */
const MAX_ADDRESSES = 4;

/**
 * Tests the connection of a request, whose work is a query of one text: looks up its host, connects to its port, signs
 * in, and asks. An aborted `signal` ends the current step, which then counts as failed. Rejects only for an internal error.
 */
export async function testConnection(
  { connection: spec, work, testPatience = 0 }: ExecutionRequest,
  openSession: () => Promise<Connection>,
  signal: AbortSignal,
): Promise<ConnectionTestBody> {
  let session: Connection | null = null;
  let version: string | null = null;
  const address = findAddress(spec);
  const takeStep: Readonly<Record<Step['step'], TakeStep>> = {
    async resolve() {
      const { host = '/' } = address();
      if (host.startsWith('/')) return undefined;
      const found = await lookup(host, { all: true }).catch((error: unknown) => {
        throw describeConnectFailure(error, printAddress(address()));
      });
      const shown = found.slice(0, MAX_ADDRESSES).map((one) => one.address);
      return [...shown, ...(found.length > shown.length ? ['…'] : [])].join(', ');
    },
    async connect() {
      const { host = '/', port } = address();
      if (host.startsWith('/')) return undefined;
      await openPort(host, Number(port), signal).catch((error: unknown) => {
        throw describeConnectFailure(error, printAddress(address()));
      });
      return printAddress(address());
    },
    async sign_in() {
      session = await openSession();
      return null;
    },
    async ask() {
      const text = work.kind === 'sql' ? work.source.text : '';
      const [row] = await readTexts(await (session as Connection).run(text, signal));
      version = row?.[0] ?? null;
      return null;
    },
  };
  const start = performance.now();
  const steps: Step[] = [];
  let passed = true;
  for (const step of STEPS) {
    const taken: Step = passed
      ? await take(step, takeStep[step], signal, testPatience)
      : { step, outcome: 'skipped', duration_ms: 0, message: null, code: null };
    passed &&= taken.outcome !== 'failed';
    steps.push(taken);
  }
  return { passed, version, duration_ms: Math.round(performance.now() - start), steps };
}

async function take(
  step: Step['step'],
  work: TakeStep,
  signal: AbortSignal,
  patience: number,
): Promise<Step> {
  const start = performance.now();
  const toStep = (outcome: Step['outcome'], message: string | null, code: string | null = null): Step => {
    return { step, outcome, duration_ms: Math.round(performance.now() - start), message, code };
  };
  try {
    const message = await untilAborted(work(), signal);
    return message === undefined ? toStep('skipped', null) : toStep('passed', message);
  } catch (error) {
    if (signal.aborted) {
      return toStep('failed', `There was no answer within the ${patience / 1000} s of the test.`, 'timeout');
    }
    if (!(error instanceof DatabaseError)) throw error;
    return toStep('failed', error.message, error.code);
  }
}

/** The host and the port of a server; empty for a database in a file. Throws a DatabaseError for missing options. */
function findAddress(spec: ExecutionRequest['connection']) {
  return (): { readonly host?: string; readonly port?: string } =>
    spec.kind === 'duckdb' ? {} : resolveOptions(KINDS[spec.kind], spec);
}

function printAddress({ host, port }: { readonly host?: string; readonly port?: string }): string {
  return `${host}:${port}`;
}

/** Opens a port and closes it at once. Rejects with the error of the system. */
async function openPort(host: string, port: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, signal });
  socket.once('connect', resolve);
  socket.once('error', reject);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}
