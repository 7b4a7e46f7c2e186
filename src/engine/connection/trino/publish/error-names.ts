/** Whether an error, or one that caused it, is an error of the server with one of these names. */
export function hasErrorName(error: unknown, ...names: readonly string[]): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isNamed(current.cause) && names.includes(String(current.cause.errorName))) return true;
  }
  return false;
}

function isNamed(cause: unknown): cause is { readonly errorName: unknown } {
  return typeof cause === 'object' && cause !== null && 'errorName' in cause;
}
