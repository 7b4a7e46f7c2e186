/** The two labels of scripts in the catalog (interface 2.2). */
export type ScriptType = 'SERVICE_SCRIPT' | 'SQL_SCRIPT';

/** Labels a script by its content: a `#+src`, or `{{` with a `}}` anywhere after it, makes a SERVICE_SCRIPT. */
export function detectScriptType(content: string): ScriptType {
  if (content.includes('#+src')) return 'SERVICE_SCRIPT';
  const opened = content.indexOf('{{');
  return opened !== -1 && content.includes('}}', opened + 2) ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT';
}
