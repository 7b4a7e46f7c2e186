import { present } from '../../../invariants/must.ts';
import { findSqlError } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { type Replacement, replaceSpans } from '../draft/foreign-sql.ts';
import type { Cube, CubeScope, SqlReading } from './cube-scope.ts';

/** `{CUBE}.column`, `{member}`, `{cube.member}`, or a brace with a backslash. Only Cube understands other text in braces. */
const REFERENCE = /\\([{}])|\{([^{}\\]*)\}(\s*\.\s*)?/g;
const PATH = /^\s*([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\s*$/;

/** Resolves a reference; `isQualifier` says whether a dot follows it. */
type ResolvePath = (path: CubePath, isQualifier: boolean) => SqlReading;

/** A reference in a template. */
export interface CubePath {
  /** Null for a member without a cube. */
  readonly cube: string | null;
  readonly member: string | null;
  readonly text: string;
}

/** Fills in a SQL template of Cube; `resolve` gives the SQL of its references. */
export function fillCubeSql(
  template: string,
  { cubes, lexicalRules }: CubeScope,
  resolve: ResolvePath,
): SqlReading {
  if (/(?<!\\)\{[{%#]/.test(template)) return { why: importMessages.template(template) };
  const replacements: Replacement[] = [];
  let other = template;
  for (const { 0: text, 1: brace, 2: inner = '', 3: dot, index } of template.matchAll(REFERENCE)) {
    other = other.replace(text, '');
    if (brace !== undefined) {
      replacements.push({ start: index, end: index + text.length, sql: brace });
      continue;
    }
    const match = PATH.exec(inner);
    if (match === null) return { why: importMessages.template(text) };
    const path = toPath(match, cubes, dot !== undefined);
    const read = resolve(path, dot !== undefined);
    if ('why' in read) return read;
    // A qualifier already ends with a dot.
    const sql = read.sql + (path.member === null ? '' : (dot ?? ''));
    replacements.push({ start: index, end: index + text.length, sql });
  }
  const sql = replaceSpans(template, replacements);
  if (sql === null) return { why: importMessages.tooLong() };
  if (/[{}]/.test(other)) return { why: importMessages.template(template) };
  const error = findSqlError(sql, lexicalRules);
  return error === null ? { sql: sql.trim() } : { why: error };
}

/** A cube can have the name of one of its members: before a dot, the name means the cube. */
function toPath(
  [text, first, second]: RegExpExecArray,
  cubes: CubeScope['cubes'],
  isQualifier: boolean,
): CubePath {
  const isCube = first === 'CUBE' || second !== undefined || (isQualifier && cubes.has(present(first)));
  if (isCube) return { cube: present(first), member: second ?? null, text: text.trim() };
  return { cube: null, member: present(first), text: text.trim() };
}

/** Whether a reference names the cube or one of its members. */
export function isOwnPath({ cube }: CubePath, { name }: Cube): boolean {
  return cube === null || cube === 'CUBE' || cube === name;
}
