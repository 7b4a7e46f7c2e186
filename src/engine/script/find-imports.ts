import type { Rendered } from './params.ts';
import { lexExpression } from './syntax/lex-expression.ts';

const IMPORT = /^[^\S\n\r\u2028\u2029]*#\+import\b/gm;

/** The paths that a script may import, without parsing it: also of those in comments and broken lines. */
export function findImports(rendered: Rendered): readonly string[] {
  const paths: string[] = [];
  for (const { index, 0: directive } of rendered.text.matchAll(IMPORT)) {
    const path = readPath(rendered, index + directive.length);
    if (path !== null) paths.push(path);
  }
  return paths;
}

function readPath(rendered: Rendered, at: number): string | null {
  try {
    const { kind, text } = lexExpression(rendered, at, false);
    return kind === 'string' ? text : null;
  } catch {
    return null;
  }
}
