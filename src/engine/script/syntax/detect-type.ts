/** The two labels of scripts in the catalog (docs/reference/http-catalog.md#types-of-scripts). */
export type ScriptType = 'SERVICE_SCRIPT' | 'SQL_SCRIPT';

/**
 * Detects the type of a script from its content, as a string or UTF-8: a `#+src`, or a `{{` with a `}}` anywhere after
 * it, makes a SERVICE_SCRIPT.
 */
export function detectScriptType(content: string | Buffer): ScriptType {
  // The searched strings are ASCII, which has the same bytes in UTF-8.
  // In a sequence of millions of `#`, V8 searches many times faster from the end.
  if (content.includes('+') && content.lastIndexOf('#+src') !== -1) return 'SERVICE_SCRIPT';
  const opened = content.indexOf('{{');
  return opened !== -1 && content.includes('}}', opened + 2) ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT';
}
