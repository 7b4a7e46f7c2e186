import type { Text } from '@codemirror/state';

const HEADER = /#\+(?:src\s+sql|macro)\s+[\p{L}_][\p{L}\p{N}_]*\s*\(([^)]*)\)/u;
const LOOP = /#\+for\s+([\p{L}_][\p{L}\p{N}_]*)/gu;
const NAME = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u;
const DECLARATION = /^\s*#\+(?:src|test|macro|const|import)\b/;
const MAX_LINES = 2_000;

/**
 * The parameters and loop variables at a position: those of the declaration that starts last before it. Reads the text
 * itself, because a script is rarely valid while someone types in it.
 */
export function listLocals(doc: Text, position: number): readonly string[] {
  const last = doc.lineAt(position).number;
  let first = last;
  while (first > 1 && last - first < MAX_LINES && !DECLARATION.test(doc.line(first).text)) first -= 1;
  const text = doc.sliceString(doc.line(first).from, position);
  const params = HEADER.exec(text)?.[1]?.split(',') ?? [];
  const names = params.flatMap((param) => NAME.exec(param)?.[1] ?? []);
  const loops = [...text.matchAll(LOOP)].map(([, name = '']) => name);
  return [...new Set([...names, ...loops])];
}
