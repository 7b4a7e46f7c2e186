import type { CliContext } from '../context/context.ts';

const FIRST_MS = 1_000;
const EVERY_MS = 200;

/** A terminal line with the elapsed time; `end` removes it. */
export interface Progress {
  end(): Promise<void>;
}

/**
 * Shows `read()` next to the elapsed time after the first second; prints nothing if standard error is not a terminal.
 */
export function showProgress(context: CliContext, read: () => string): Progress {
  if (!context.stderr.isTerminal) return { end: async () => {} };
  const started = performance.now();
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < FIRST_MS) return;
    shown = true;
    void context.notices.write(`\r\x1b[K${(elapsed / 1000).toFixed(1)} s  ${read()}`);
  }, EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      if (!shown) return;
      shown = false;
      await context.notices.write('\r\x1b[K');
    },
  };
}
