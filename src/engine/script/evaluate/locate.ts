import type { Span } from '../../text/span.ts';
import { OutputLimitError } from '../params/output.ts';
import { createScriptError } from '../program/program.ts';
import type { Expression } from '../syntax/ast.ts';
import { OperationError } from '../values/operators.ts';
import { PublicationError } from '../values/publication.ts';
import type { Scope } from '../values/scope.ts';
import { SizeError } from '../values/size.ts';
import { ArgumentError } from '../values/stdlib.ts';

/** Adds a position to an error of `work`. */
export function locate<T>(scope: Scope, span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isKnown(error) ? errorAt(scope, span, error.message) : error;
  }
}

const KNOWN = [OperationError, ArgumentError, OutputLimitError, SizeError];

function isKnown(error: unknown): error is Error {
  return KNOWN.some((type) => error instanceof type);
}

/** Adds the position of the key's value to an error in a publication. */
export function locatePublication<T>(scope: Scope, expression: Expression, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    const entries = expression.kind === 'map' ? expression.entries : [];
    const entry = entries.find(({ key }) => key.name === error.key);
    throw errorAt(scope, entry?.value ?? expression, error.message);
  }
}

/** An error at a position in a scope's file. */
export function errorAt({ file }: Scope, span: Span, message: string) {
  return createScriptError(file.file, span, message);
}
