import childProcess from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import workerThreads from 'node:worker_threads';

// A module to load before an unbundled program of `src`: counts the calls of each of its functions, also in the processes
// and threads that it starts. A program with an IPC channel sends the calls since the last request when it receives one;
// any other program writes them at its end to the file of the environment variable WALK_FILE.
//
// The counts are V8's precise coverage, not the samples of a profile: a profile misses short functions, so its files and
// functions differ from run to run.
const ASK = 'walk';
const SELF = import.meta.filename;
const SOURCES = new URL('../../src/', import.meta.url).href;

/** A function of `src` with its offset in the file and the number of its calls. */
export interface Called {
  readonly file: string;
  readonly name: string;
  readonly at: number;
  readonly count: number;
}

interface Answer {
  readonly walked: readonly Called[];
}

/** A process, or the channel to a thread, that responds to requests. */
interface Asked {
  on(event: 'message', listen: (message: unknown) => void): unknown;
  off(event: 'message', listen: (message: unknown) => void): unknown;
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The calls since the last call of this function. */
function take(): readonly Called[] {
  let called: readonly Called[] = [];
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    called = result
      .filter(({ url }) => url.startsWith(SOURCES))
      .flatMap(({ url, functions }) =>
        functions.map(({ functionName: name, ranges: [range] }) => {
          return { file: fileURLToPath(url), name, at: range?.startOffset ?? 0, count: range?.count ?? 0 };
        }),
      )
      // The function that contains all others is the file itself.
      .filter(({ name, at, count }) => count > 0 && (name !== '' || at > 0));
  });
  return called;
}

/** Functions that request the calls of each process and thread that this one has started. */
const others = new Map<object, () => Promise<readonly Called[]>>();

function askBy(asked: Asked, send: () => void): () => Promise<readonly Called[]> {
  return () => {
    const { promise, resolve } = Promise.withResolvers<readonly Called[]>();
    const look = (message: unknown) => {
      if (!isAnswer(message)) return;
      asked.off('message', look);
      resolve(message.walked);
    };
    asked.on('message', look);
    send();
    return promise;
  };
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'walked' in message;
}

const { fork } = childProcess;
childProcess.fork = ((program: string, options: childProcess.ForkOptions) => {
  // A confined process could not read this file.
  const child = fork(program, { ...options, execPath: process.execPath, execArgv: ['--import', SELF] });
  others.set(
    child,
    askBy(child, () => child.send(ASK)),
  );
  return child.on('exit', () => others.delete(child));
}) as typeof fork;

const { isMainThread, MessageChannel, MessagePort, Worker, workerData } = workerThreads;
workerThreads.Worker = class extends Worker {
  constructor(program: string | URL, options: workerThreads.WorkerOptions) {
    const { port1, port2 } = new MessageChannel();
    super(program, {
      ...options,
      execArgv: ['--import', SELF],
      workerData: port2,
      transferList: [port2],
    });
    port1.unref();
    others.set(
      this,
      askBy(port1, () => port1.postMessage(ASK)),
    );
    this.on('exit', () => others.delete(this));
  }
};
syncBuiltinESMExports();

async function takeAll(): Promise<Answer> {
  const own = take();
  return { walked: [own, ...(await Promise.all([...others.values()].map((ask) => ask())))].flat() };
}

if (!isMainThread && workerData instanceof MessagePort) {
  workerData.on('message', async () => workerData.postMessage(await takeAll())).unref();
} else if (process.send !== undefined) {
  const emit = process.emit.bind(process) as (...args: readonly unknown[]) => boolean;
  // The program receives all other messages.
  process.emit = ((...args: readonly unknown[]) => {
    if (args[0] !== 'message' || args[1] !== ASK) return emit(...args);
    takeAll().then((answer) => process.send?.(answer));
    return true;
  }) as typeof process.emit;
  // A channel without a listener is not read.
  process.on('message', () => {});
} else process.on('exit', () => writeFileSync(process.env.WALK_FILE ?? '/dev/null', JSON.stringify(take())));
