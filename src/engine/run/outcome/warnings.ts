import { printDiagnostic, type Warn, type Warning } from '../../text/diagnostic.ts';

/** How many warnings one run keeps: more would hide the rest. */
const MAX_WARNINGS = 100;

/** The warnings of one run, each once: a block may run many times. */
export interface Warnings {
  readonly warn: Warn;
  list(): readonly Warning[];
}

/** A list that begins with what was found before the run. */
export function createWarnings(found: readonly Warning[] = []): Warnings {
  const warnings = new Map<string, Warning>();
  const warn = (warning: Warning) => {
    const key = 'file' in warning ? printDiagnostic(warning) : warning.message;
    if (warnings.size < MAX_WARNINGS && !warnings.has(key)) warnings.set(key, warning);
  };
  for (const warning of found) warn(warning);
  return { warn, list: () => [...warnings.values()] };
}
