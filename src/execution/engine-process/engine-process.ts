import { existsSync, readdirSync, readFileSync, stat } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { createNanoClock } from '../../engine/run/outcome/clock.ts';
import { notNull } from '../../invariants/must.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { toStop } from '../contract/cancellation.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import { Runner } from '../in-thread/runner.ts';
import { type AnswerServer, listenForReaders } from './answer-server.ts';
import { type AnswerSink, createAnswerSink } from './answer-sink.ts';
import { createCatalogCalls } from './catalog-calls.ts';
import type { FromEngine, ToEngine } from './engine-messages.ts';
import { createPackageStore } from './engine-packages.ts';

// The program of the engine process: it runs the requests of its parent and ends with its parent. Only the parent knows
// deadlines and queues and detects stuck executions.

/** How long an unused DuckDB file stays open; after that, another process can open it. */
const IDLE_MS = 10_000;
/** How long a transaction of an interactive session may stay open without a statement. */
const TRANSACTION_MS = 5 * 60_000;
/** Difference of nice values between the server and this process: on a busy machine, the server goes first. */
const NICER = 4;
/**
 * Difference of nice values between the thread that all executions share and the threads in which databases run
 * statements.
 */
const SHARED_NICER = 1;

letServerFirst();

const runner = new Runner(createNanoClock(), { idleMs: IDLE_MS, transactionMs: TRANSACTION_MS });
const packages = createPackageStore();
const catalogCalls = createCatalogCalls(send);
/** Running executions by key. */
const running = new Map<string, Running>();
/** Null until the first message. */
let readers: AnswerServer | null = null;
/** The last disk use of databases that was reported to the parent. */
let reportedUse = '[]';

// exit() would wait for running queries; the database's log has all acknowledged changes.
const endAtOnce = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', endAtOnce);
// A terminal or service manager signals the whole process group; the parent decides how this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', receive);

interface Running {
  readonly sink: AnswerSink;
  readonly stop: AbortController;
}

/** The system handle of a connection that the parent has sent. */
interface Handle {
  close(): void;
}

function receive(message: ToEngine, handle: Handle | undefined): void {
  switch (message.kind) {
    case 'open':
      void open(message.socket);
      break;
    case 'package':
      packages.keep(message);
      break;
    case 'forget':
      packages.forget(message.hash);
      break;
    case 'run':
      void run(message.key, packages.complete(message.request, message.packages));
      break;
    case 'go':
      go(running.get(message.key), handle);
      break;
    case 'translated':
    case 'owner':
      catalogCalls.receive(message);
      break;
    case 'cancel':
      halt(running.get(message.key));
      break;
    case 'end-session':
      void runner.kept.end(message.id);
      break;
    case 'close':
      void close();
  }
}

/** A failure ends the process. */
async function open(socket: string): Promise<void> {
  readers = await listenForReaders(socket);
  send({ kind: 'ready' });
}

/** A connection that was closed on its way arrives without a handle. */
function go(execution: Running | undefined, handle: Handle | undefined): void {
  if (handle === undefined) halt(execution);
  else if (execution === undefined) handle.close();
  else execution.sink.go(handle);
}

async function run(key: string, request: ExecutionRequest): Promise<void> {
  const stop = new AbortController();
  const sink = createAnswerSink({ readers: notNull(readers), key, tell: send });
  running.set(key, { sink, stop });
  try {
    const translate = request.semantic === undefined ? undefined : catalogCalls.translateFor(key);
    const askOwner = request.work.kind === 'sql' ? undefined : catalogCalls.askOwnerFor(key);
    const calls = { translate, askOwner };
    const outcome = await runner.run(request, sink, toStop(stop.signal), calls);
    const uses = runner.listDiskUse();
    const text = JSON.stringify(uses);
    if (text !== reportedUse) send({ kind: 'disk', uses });
    reportedUse = text;
    send({ kind: 'ended', key, outcome, head: await sink.finish() });
  } catch (error) {
    send({ kind: 'broken', key, trace: printTrace(error) });
    await sink.finish();
  } finally {
    running.delete(key);
  }
}

/** Stops an execution and discards the rest of its answer. */
function halt(execution: Running | undefined): void {
  execution?.stop.abort();
  execution?.sink.cut();
}

/** Stops all executions, closes all databases, and ends the process. */
async function close(): Promise<void> {
  for (const execution of running.values()) halt(execution);
  while (running.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await runner.close();
  readers?.close();
  process.off('disconnect', endAtOnce);
  process.disconnect();
}

function send(message: FromEngine): void {
  process.send?.(message);
}

/**
 * Lowers the priority. On Linux, each thread has its own priority: existing threads are changed here, and new ones
 * inherit it from the thread that starts them.
 */
function letServerFirst(): void {
  const priority = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
  setPriority(priority);
  const threads = '/proc/self/task';
  if (!existsSync(threads)) return;
  for (const thread of readdirSync(threads)) setPriority(Number(thread), priority);
  // The first asynchronous file call starts the threads of the pool, which start DuckDB's own.
  stat(threads, () => undefined);
  const lower = Math.min(priority + SHARED_NICER, constants.priority.PRIORITY_LOW);
  for (const thread of readdirSync(threads)) {
    if (isOfPool(`${threads}/${thread}/comm`)) setPriority(Number(thread), lower);
  }
}

function isOfPool(nameFile: string): boolean {
  return readFileSync(nameFile, 'utf8').startsWith('libuv-worker');
}
