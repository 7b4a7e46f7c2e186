import { existsSync, readdirSync, readFileSync, stat, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { createClock } from '../../engine/run/outcome/clock.ts';
import { entryOf } from '../../invariants/must.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { toStop } from '../contract/cancellation.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import { Runner } from '../in-thread/runner.ts';
import { type AnswerSink, createAnswerSink } from './answer-sink.ts';
import type { FromEngine, ToEngine } from './engine-messages.ts';
import { createPackageStore } from './package-parts.ts';
import { createTranslationCalls } from './translations.ts';

// The program of the engine process: it runs what its parent asks for, and ends with its parent. The parent alone
// knows deadlines, queues and what is stuck.

/** How long a file of DuckDB stays open when nobody uses it: then another process may have it. */
const IDLE_MS = 10_000;
/** By how much the server, for which everybody waits, comes first on a busy machine: a difference of nice values. */
const NICER = 4;
/** By how much the thread that all executions share comes before those in which databases run their statements. */
const SHARED_NICER = 1;

letServerFirst();

const runner = new Runner(createClock(), IDLE_MS);
const packages = createPackageStore();
const translations = createTranslationCalls(send);
/** What runs, by its key. */
const running = new Map<string, Running>();
let socket = '';
/** What the parent was told last of the disk that databases use. */
let toldUse = '[]';

// exit() would wait for running queries; the database's log keeps what it has acknowledged.
const endAtOnce = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', endAtOnce);
// A terminal and a service manager tell the whole group of processes to stop: how is the parent's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message: ToEngine, handle: unknown) => receive(message, handle as Handle | undefined));
offerForMemory();

interface Running {
  readonly sink: AnswerSink;
  readonly stop: AbortController;
}

/** What the system knows a connection by that the parent has sent. */
interface Handle {
  close(): void;
}

function receive(message: ToEngine, handle: Handle | undefined): void {
  switch (message.kind) {
    case 'open':
      socket = message.socket;
      send({ kind: 'ready' });
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
      if (running.has(message.key)) entryOf(running, message.key).sink.go(handle);
      else handle?.close();
      break;
    case 'translated':
      translations.receive(message);
      break;
    case 'cancel':
      halt(running.get(message.key));
      break;
    case 'close':
      void close();
  }
}

async function run(key: string, request: ExecutionRequest): Promise<void> {
  const stop = new AbortController();
  const sink = createAnswerSink({ path: socket, key, tell: send });
  running.set(key, { sink, stop });
  try {
    const translate = request.semantic === undefined ? undefined : translations.translateFor(key);
    const outcome = await runner.run(request, sink, toStop(stop.signal), translate);
    tellDiskUse();
    send({ kind: 'ended', key, outcome, head: await sink.finish() });
  } catch (error) {
    send({ kind: 'broken', key, trace: printTrace(error) });
    await sink.finish();
  } finally {
    running.delete(key);
  }
}

/** Stops what runs, and lets nothing more of its answer out. */
function halt(execution: Running | undefined): void {
  execution?.stop.abort();
  execution?.sink.cut();
}

/** Stops what runs, gives every database back, and ends. */
async function close(): Promise<void> {
  for (const execution of running.values()) halt(execution);
  while (running.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await runner.close();
  process.off('disconnect', endAtOnce);
  process.disconnect();
}

/** Before the end of the execution that has changed it. */
function tellDiskUse(): void {
  const uses = runner.listDiskUse();
  const text = JSON.stringify(uses);
  if (text === toldUse) return;
  toldUse = text;
  send({ kind: 'disk', uses });
}

function send(message: FromEngine): void {
  process.send?.(message);
}

/** On Linux each thread has a priority of its own, and some are there already; those that come have that of who starts them. */
function letServerFirst(): void {
  const priority = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
  setPriority(priority);
  const threads = '/proc/self/task';
  if (!existsSync(threads)) return;
  for (const thread of readdirSync(threads)) setPriority(Number(thread), priority);
  // The first call that needs them starts those of the pool, which start DuckDB's own.
  stat(threads, () => undefined);
  const lower = Math.min(priority + SHARED_NICER, constants.priority.PRIORITY_LOW);
  for (const thread of readdirSync(threads)) {
    if (isOfPool(`${threads}/${thread}/comm`)) setPriority(Number(thread), lower);
  }
}

function isOfPool(nameFile: string): boolean {
  return readFileSync(nameFile, 'utf8').startsWith('libuv-worker');
}

/** Where the machine runs out of memory, this process is to be ended rather than its parent. */
function offerForMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // There is no such thing on other systems.
  }
}
