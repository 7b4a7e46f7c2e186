const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 1_000;

/** Handles Ctrl-C and other signals for the whole process. */
export interface Interrupts {
  readonly signal: AbortSignal;
  readonly onExit: (undo: () => void) => () => void;
  /** Handles a Ctrl-C that a prompt read instead of the terminal. */
  readonly interrupt: () => void;
  /**
   * For work that runs until a signal stops it: the signal gives the work `graceMs` milliseconds to end, and does not
   * end the process itself.
   */
  readonly endAtSignal: (graceMs: number) => void;
  /** Ends the process with this code although a database thread still runs. */
  readonly endStuck: (code: number) => void;
  /** Runs the registered cleanups and, after a signal, ends the process with that signal. */
  finish(): void;
}

/**
 * The first signal aborts the work, which gets one second to end. Then, or at the second signal, the registered
 * cleanups run, and the default action of the signal follows. `process.exit` would wait for the database threads.
 */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  const undos = new Set<() => void>();
  let received: NodeJS.Signals | null = null;
  let graceMs = GRACE_MS;
  let isEnding = false;
  const finish = () => {
    for (const undo of undos) undo();
    undos.clear();
    if (received !== null && !isEnding) dieBy(received);
  };
  const kill = () => {
    isEnding = false;
    finish();
  };
  const endAtSignal = (milliseconds: number) => {
    graceMs = milliseconds;
    isEnding = true;
  };
  const receive = (name: NodeJS.Signals) => {
    if (received !== null) return kill();
    received = name;
    controller.abort();
    setTimeout(kill, graceMs).unref();
  };
  for (const name of SIGNALS) {
    process.on(name, () => receive(name));
  }
  const onExit = (undo: () => void) => {
    undos.add(undo);
    return () => undos.delete(undo);
  };
  const interrupt = () => receive('SIGINT');
  return { signal: controller.signal, onExit, interrupt, endAtSignal, endStuck: endStuckProcess, finish };
}

function dieBy(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

/** `process.exit` would wait for that thread, so the process replaces itself where Node can, and is killed elsewhere. */
function endStuckProcess(code: number): void {
  process.removeAllListeners('warning');
  try {
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  } catch {
    // No shell: the kill below does it.
  }
  process.kill(process.pid, 'SIGKILL');
}
