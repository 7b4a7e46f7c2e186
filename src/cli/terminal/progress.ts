import type { CliContext } from '../context/context.ts';

const FIRST_MS = 1_000;
const EVERY_MS = 200;

/** A line on the terminal that says how long something has run; `end` wipes it. */
export interface Progress {
  end(): Promise<void>;
}

/** Shows `read()` beside the elapsed time from the first second on; silent when standard error is no terminal. */
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
