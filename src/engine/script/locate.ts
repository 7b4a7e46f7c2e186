import type { Span } from '../text/span.ts';
import { OperationError } from './operators.ts';
import { OutputLimitError } from './output.ts';
import { createFault } from './program.ts';
import { PublicationError } from './publication.ts';
import type { Scope } from './scope.ts';
import { SizeError } from './size.ts';
import { ArgumentError } from './stdlib.ts';

/** Puts the place to what `work` finds wrong. */
export function locate<T>(scope: Scope, span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const known = [OperationError, ArgumentError, PublicationError, OutputLimitError, SizeError];
    throw known.some((type) => error instanceof type) ? fault(scope, span, (error as Error).message) : error;
  }
}

/** An error at a place of a scope's file. */
export function fault({ file }: Scope, span: Span, message: string) {
  return createFault(file.file, span, message);
}
