import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPort } from '../find-port.ts';
import { readTreeWork } from '../processes.ts';
import type { ServerOptions } from '../servers.ts';
import { type ProcessGroup, spawnGroup } from '../sso/spawn-group.ts';
import {
  BUCKET,
  type ClusterFiles,
  FEW_ROWS,
  type Settings,
  writeCluster,
  writePair,
  writeWorker,
} from './configuration.ts';

/** The output of `test/trino/install.sh`. */
const TOOLS = path.resolve(import.meta.dirname, '../../trino');
const INSTALLED = path.join(TOOLS, '.server');
const STORAGE = path.join(TOOLS, '.venv/bin/moto_server');

/** Whether Trino can be started. */
export const hasTrino = [path.join(INSTALLED, 'built'), path.join(INSTALLED, 'java'), STORAGE].every((file) =>
  existsSync(file),
);

/** How long a busy machine may take to start three nodes. */
const PATIENCE_MS = 120_000;
/** The timeout of hooks that start nodes: longer than two starts. */
export const CLUSTER_PATIENCE_MS = 300_000;
const INTERVAL_MS = 200;
/** How long one request may wait for a node that is starting. */
const REQUEST_MS = 20_000;
/** The last lines of each log that an error shows. */
const SHOWN_LINES = 40;

/** The addresses and the credentials of a cluster with the catalogs tpch, memory, postgresql and iceberg. */
export interface ClusterOptions extends ClusterFiles {
  readonly host: string;
  /** Without sign-in. */
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The files of the cluster, and the logs of its nodes. */
  readonly folder: string;
}

/** Processes that run; `options` say how to use them. */
interface Running<T> {
  readonly options: T;
  /** Processor time of these processes, in hundredths of a second. */
  readWork(): number;
  stop(): Promise<void>;
}

export type RunningCluster = Running<ClusterOptions>;

/** A coordinator that runs tasks, too, and one worker. Both have the catalog tpch, and no sign-in. */
interface PairOptions {
  readonly httpPort: number;
  /** Ends the worker at once, as a crash does. */
  killWorker(): Promise<void>;
}

/** The nodes of a cluster and how they run. */
interface Tuning {
  /** 0 if the coordinator runs the tasks of queries. */
  readonly workers: number;
  /** Options of Java. */
  readonly jvm: readonly string[];
  readonly settings: Settings;
}

/** Starts a coordinator, its workers and object storage on loopback; returns when all nodes are active. */
export function startCluster(
  postgresql: ServerOptions,
  { workers, settings = FEW_ROWS, ...tuning }: Partial<Tuning> & Pick<Tuning, 'workers'>,
): Promise<RunningCluster> {
  const jvm = tuning.jvm ?? [...QUICK, ...(workers === 0 ? SINGLE_MEMORY : SHARED_MEMORY)];
  const names = Array.from({ length: workers }, (_, index) => `worker-${index + 1}`);
  return startIn(async (folder, nodes) => {
    const ports = { http: await findPort(), https: await findPort(), storage: await findPort() };
    const files = await writeCluster(folder, INSTALLED, ports, postgresql, { workers, settings });
    nodes.push(startStorage(folder, ports.storage), startNode(folder, 'coordinator', jvm));
    for (const name of names) nodes.push(await startWorker(folder, name, jvm));
    await Promise.all([createBucket(ports.storage, nodes), waitForNodes(ports.http, workers + 1, nodes)]);
    return { ...files, host: '127.0.0.1', httpPort: ports.http, httpsPort: ports.https, folder };
  });
}

/** Starts nodes for a test that ends one of them: no other test runs queries there. */
export function startPair(): Promise<Running<PairOptions>> {
  return startIn(async (folder, nodes) => {
    const httpPort = await findPort();
    writePair(folder, INSTALLED, httpPort);
    const jvm = [...QUICK, ...SHARED_MEMORY];
    nodes.push(startNode(folder, 'coordinator', jvm));
    const worker = await startWorker(folder, 'worker-1', jvm);
    nodes.push(worker);
    await waitForNodes(httpPort, 2, nodes);
    return { httpPort, killWorker: () => worker.stop() };
  });
}

type StartAll<T> = (folder: string, nodes: ProcessGroup[]) => Promise<T>;

/** Starts processes with a new folder; if that fails, prints the error and tries once more. */
async function startIn<T>(startAll: StartAll<T>): Promise<Running<T>> {
  return startOnce(startAll).catch((error: unknown) => {
    console.warn(error);
    return startOnce(startAll);
  });
}

/** If the start fails, ends the processes that have been started. */
async function startOnce<T>(startAll: StartAll<T>): Promise<Running<T>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-trino-'));
  const nodes: ProcessGroup[] = [];
  const readWork = () => nodes.reduce((sum, { child }) => sum + readTreeWork(child.pid!), 0);
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    return { options: await startAll(folder, nodes), readWork, stop };
  } catch (error) {
    const logs = readLogs(folder);
    await stop();
    throw new Error(`Trino does not start:\n${logs}`, { cause: error });
  }
}

async function startWorker(folder: string, name: string, jvm: readonly string[]): Promise<ProcessGroup> {
  writeWorker(folder, name, await findPort());
  return startNode(folder, name, jvm);
}

/**
 * Compilation that is quick rather than thorough, because the tests run nothing for long; garbage collection by one
 * thread, which needs less processor time; few collections, because there is much memory for new objects, and none
 * because the memory for classes grows, which would take a tenth of the start.
 */
const QUICK = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:MetaspaceSize=256M'];
const SHARED_MEMORY = ['-Xmx1G', '-Xmn400M'];
/** A single node has the plans of a minute, and runs them. With 1 GB, a fifth of its time is garbage collection. */
const SINGLE_MEMORY = ['-Xmx4G', '-Xmn800M'];
/** What Trino asks of a JVM, and the archive of classes of `test/trino/install.sh`. */
const JVM = [
  '-XX:+AutoCreateSharedArchive',
  `-XX:SharedArchiveFile=${path.join(INSTALLED, 'classes.jsa')}`,
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:ReservedCodeCacheSize=256M',
  '-Djdk.attach.allowAttachSelf=true',
  '-Dfile.encoding=UTF-8',
];

function startNode(folder: string, name: string, jvm: readonly string[]): ProcessGroup {
  const java = findJava();
  const config = `-Dconfig=${path.join(folder, `${name}.properties`)}`;
  const classes = `${path.join(INSTALLED, 'lib')}/*`;
  return start(folder, name, java, [
    ...JVM,
    ...jvm,
    `-Djava.io.tmpdir=${folder}`,
    config,
    '-cp',
    classes,
    'io.trino.server.TrinoServer',
  ]);
}

/** A program that runs Trino, and its own client. */
export function findJava(): string {
  return readFileSync(path.join(INSTALLED, 'java'), 'utf8').trim();
}

function startStorage(folder: string, port: number): ProcessGroup {
  return start(folder, 'storage', STORAGE, ['-H', '127.0.0.1', '-p', String(port)]);
}

/** Starts a program in the folder, with its output in a log. */
function start(folder: string, name: string, program: string, args: readonly string[]): ProcessGroup {
  // Java writes names of files in the character set of the locale, and tables have names with `é`.
  const group = spawnGroup(program, args, { LC_ALL: 'C.UTF-8' }, folder);
  const log = createWriteStream(path.join(folder, `${name}.log`), { flags: 'a' });
  group.child.stdout.pipe(log, { end: false });
  group.child.stderr.pipe(log, { end: false });
  return group;
}

function readLogs(folder: string): string {
  const names = ['coordinator', 'worker-1', 'worker-2', 'storage'];
  return names
    .map((name) => path.join(folder, `${name}.log`))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').split('\n').slice(-SHOWN_LINES).join('\n'))
    .join('\n');
}

/** Repeats a check until it succeeds; fails when a process has ended. */
async function waitFor(
  check: (signal: AbortSignal) => Promise<boolean>,
  nodes: readonly ProcessGroup[],
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await check(AbortSignal.timeout(REQUEST_MS)).catch(() => false))) {
    if (nodes.some(({ child }) => child.exitCode !== null || child.signalCode !== null)) {
      throw new Error('a process has ended');
    }
    if (performance.now() > end) throw new Error(`not ready after ${PATIENCE_MS / 1000} seconds`);
    await sleep(INTERVAL_MS);
  }
}

function createBucket(port: number, nodes: readonly ProcessGroup[]): Promise<void> {
  const url = `http://127.0.0.1:${port}/${BUCKET}`;
  return waitFor(async (signal) => (await fetch(url, { method: 'PUT', signal })).ok, nodes);
}

const ACTIVE = "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'";
/** Fails until an active node has announced its catalogs. */
const SCAN = 'SELECT count(*) FROM tpch.tiny.region';

function waitForNodes(port: number, count: number, nodes: readonly ProcessGroup[]): Promise<void> {
  return waitFor(async (signal) => {
    const [[active] = []] = await runOnCoordinator(port, ACTIVE, signal);
    return Number(active) === count && (await runOnCoordinator(port, SCAN, signal)).length === 1;
  }, nodes);
}

interface Page {
  readonly nextUri?: string;
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string };
}

/** Runs a statement as the tests' own user, without a driver, and returns its rows. */
export async function runOnCoordinator(
  port: number,
  sql: string,
  signal: AbortSignal | null = null,
): Promise<readonly (readonly unknown[])[]> {
  const rows: (readonly unknown[])[] = [];
  const given = { headers: { 'X-Trino-User': 'tests' }, signal };
  let answer = await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', body: sql, ...given });
  for (;;) {
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const page = (await answer.json()) as Page;
    if (page.error !== undefined) throw new Error(page.error.message);
    rows.push(...(page.data ?? []));
    if (page.nextUri === undefined) return rows;
    answer = await fetch(page.nextUri, given);
  }
}
