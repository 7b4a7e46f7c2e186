import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import { findPosition, getLineMap } from '../../../engine/text/line-map.ts';
import type { ModelFileReading } from './read-model-file.ts';

/** A part of a model file. */
interface Placed {
  readonly file: ModelFileReading;
  readonly document: object;
}

/** The diagnostics of a model whose files are read. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  refuse(at: Placed, key: string, message: string): void;
  warn(at: Placed, key: string, message: string): void;
  /** Prints a location for messages about a part of the file `from`: `in line 3`, or `in other.yaml:3`. */
  printPlace(at: Placed, key: string, from: ModelFileReading): string;
}

/** The maximum number of diagnostics that involve several files. */
const MAX_FINDINGS = 200;

export function collectFindings(): Findings {
  const diagnostics: Diagnostic[] = [];
  function note({ file, document }: Placed, key: string, message: string, severity: Diagnostic['severity']) {
    if (diagnostics.length >= MAX_FINDINGS) return;
    diagnostics.push(
      createDiagnostic(file.source, file.places.find(document, key), message, 'model', severity),
    );
  }
  return {
    diagnostics,
    refuse: (at, key, message) => note(at, key, message, 'error'),
    warn: (at, key, message) => note(at, key, message, 'warning'),
    printPlace({ file, document }, key, from) {
      const { line } = findPosition(getLineMap(file.source), file.places.find(document, key).start);
      return file === from ? `in line ${line}` : `in ${file.source.name}:${line}`;
    },
  };
}
