/** The two labels of scripts in the catalog (interface 2.2). */
export type ScriptType = 'SERVICE_SCRIPT' | 'SQL_SCRIPT';

/**
 * Labels a script by its content, a text or its UTF-8: a `#+src`, or `{{` with a `}}` anywhere after it, makes a
 * SERVICE_SCRIPT.
 */
export function detectScriptType(content: string | Buffer): ScriptType {
  // All that counts is ASCII, which stands for itself in UTF-8, and for nothing else.
  // Where millions of `#` stand in a row, V8 finds from the end many times faster.
  if (content.includes('+') && content.lastIndexOf('#+src') !== -1) return 'SERVICE_SCRIPT';
  const opened = content.indexOf('{{');
  return opened !== -1 && content.includes('}}', opened + 2) ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT';
}
