import type { Diagnostic } from '../../../text/diagnostic.ts';
import type { Span } from '../../../text/span.ts';
import type { LinkedFile, Program } from '../../program/program.ts';

/** Reports an error or warning at a position. */
export type Report = (
  file: LinkedFile,
  span: Span,
  message: string,
  severity?: Diagnostic['severity'],
) => void;

/** Checks a program for one kind of error. */
export type Rule = (program: Program, report: Report) => void;
