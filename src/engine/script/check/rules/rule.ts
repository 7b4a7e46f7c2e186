import type { Diagnostic } from '../../../text/diagnostic.ts';
import type { Span } from '../../../text/span.ts';
import type { LinkedFile, Program } from '../../program/program.ts';

/** Says that something is wrong at a place. */
export type Report = (
  file: LinkedFile,
  span: Span,
  message: string,
  severity?: Diagnostic['severity'],
) => void;

/** Looks for one kind of fault in a whole program. */
export type Rule = (program: Program, report: Report) => void;
