const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const GRACE_MS = 1_000;

/** Hears Ctrl-C and its kin for the whole process. */
export interface Interrupts {
  readonly signal: AbortSignal;
  readonly onExit: (undo: () => void) => () => void;
  /** Ctrl-C that a prompt has heard in the terminal's stead. */
  readonly interrupt: () => void;
  /**
   * For work that goes on until it is told to stop: a signal gives it this long to end, in milliseconds, and does not end
   * the process.
   */
  readonly endAtSignal: (graceMs: number) => void;
  /** Undoes what is registered and, when a signal came, ends the process by it. */
  finish(): void;
}

/**
 * The first signal aborts the work, which gets a second to end in good order; then, or at the second
 * signal, what must not stay is undone and the signal does what it does by default. `process.exit` would
 * wait for the database's threads.
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
  return { signal: controller.signal, onExit, interrupt, endAtSignal, finish };
}

function dieBy(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
