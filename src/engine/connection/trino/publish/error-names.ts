/** Whether an error, or one that caused it, is an error of the server with one of these names. */
export function hasErrorName(error: unknown, ...names: readonly string[]): boolean {
  for (let own = error; own instanceof Error; own = own.cause) {
    if (isNamed(own.cause) && names.includes(String(own.cause.errorName))) return true;
  }
  return false;
}

function isNamed(cause: unknown): cause is { readonly errorName: unknown } {
  return typeof cause === 'object' && cause !== null && 'errorName' in cause;
}
