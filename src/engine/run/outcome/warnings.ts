import { printDiagnostic, type Warn, type Warning } from '../../text/diagnostic.ts';

/** Maximum warnings of one run: more would hide the other output. */
const MAX_WARNINGS = 100;

/** The warnings of one run without duplicates: a block can run many times. */
export interface Warnings {
  readonly warn: Warn;
  list(): readonly Warning[];
}

/** Creates a list that starts with the warnings found before the run. */
export function createWarnings(earlierWarnings: readonly Warning[] = []): Warnings {
  const warnings = new Map<string, Warning>();
  const warn = (warning: Warning) => {
    const key = 'file' in warning ? printDiagnostic(warning) : warning.message;
    if (warnings.size < MAX_WARNINGS && !warnings.has(key)) warnings.set(key, warning);
  };
  for (const warning of earlierWarnings) warn(warning);
  return { warn, list: () => [...warnings.values()] };
}
