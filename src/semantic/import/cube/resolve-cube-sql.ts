import { present } from '../../../invariants/must.ts';
import { findSqlError } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import {
  isColumn,
  joinConditions,
  listForeignTokens,
  qualifySql,
  quoteQualifier,
  type Replacement,
  readName,
  replaceSpans,
  wrapSql,
} from '../draft/foreign-sql.ts';
import type { Cube, CubeMember, CubeScope, SqlReading } from './cube-scope.ts';

/** Reserved words, which name a column only with its table before it. */
const RESERVED =
  /^(all|and|any|as|asc|between|by|case|cast|check|column|create|cross|default|desc|distinct|do|else|end|except|false|fetch|for|foreign|from|full|grant|group|having|in|inner|into|is|join|left|like|limit|natural|not|null|offset|on|only|or|order|outer|primary|references|right|select|some|table|then|to|true|union|unique|user|using|when|where|window|with)$/i;

/** Resolves SQL over the columns of one cube for the expressions of its entity. */
export function resolveRowSql(
  template: string,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[] = [],
): SqlReading {
  return dropQualifiers(
    fillCubeSql(template, scope, (path, isQualifier) => {
      if (!isOwnPath(path, cube)) return { why: importMessages.otherMember(path.text) };
      if (path.member === null) return resolveSelf(path, isQualifier, cube, scope);
      return resolveDimension(path.member, cube, scope, open);
    }),
    cube,
    scope,
  );
}

/** Removes the entity's name before columns, except before columns that need it. */
export function dropQualifiers(
  reading: SqlReading,
  { entity }: Cube,
  { lexicalRules }: CubeScope,
): SqlReading {
  if ('why' in reading) return reading;
  const words = listForeignTokens(reading.sql, lexicalRules);
  let sql = '';
  let at = 0;
  for (const [index, word] of words.entries()) {
    const [dot, column, next] = words.slice(index + 1, index + 4);
    if (readName(word) !== entity.name || dot?.text !== '.' || column === undefined) continue;
    const isInside = words[index - 1]?.text === '.' || ['.', '('].includes(next?.text ?? '');
    if (isInside || RESERVED.test(column.text)) continue;
    sql += reading.sql.slice(at, word.start);
    at = column.start;
  }
  return { sql: sql + reading.sql.slice(at) };
}

/** The SQL of a dimension inside another expression. */
export function resolveDimension(
  name: string,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[],
): SqlReading {
  const dimension = cube.dimensions.get(name);
  if (dimension === undefined) return { why: importMessages.unknownMember(name) };
  if (open.includes(name)) return { why: importMessages.circle(name) };
  const read = readDimensionSql(dimension, cube, scope, [...open, name]);
  return 'why' in read
    ? read
    : { sql: isColumn(read.sql, scope.lexicalRules) ? read.sql : wrapSql(read.sql) };
}

/** The SQL of a dimension, with its `case` as a CASE expression. */
export function readDimensionSql(
  member: CubeMember,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[] = [member.name],
): SqlReading {
  const known = scope.dimensionSql.get(member);
  if (known !== undefined) return known;
  const { sql } = member;
  const made =
    sql === undefined ? readCases(member, cube, scope, open) : resolveRowSql(sql, cube, scope, open);
  scope.dimensionSql.set(member, made);
  return made;
}

function readCases({ map }: CubeMember, cube: Cube, scope: CubeScope, open: readonly string[]): SqlReading {
  const cases = map.map('case', `\`case\` of ${map.subject}`);
  if (cases === undefined) return { why: importMessages.missing('sql') };
  const parts: string[] = [];
  const whens = cases.allMaps('when', `a case of ${map.subject}`);
  if (whens === null) return { why: importMessages.badItems('when') };
  for (const when of whens) {
    const condition = resolveRowSql(when.text('sql') ?? '', cube, scope, open);
    const label = when.text('label');
    if ('why' in condition) return condition;
    if (label === undefined) return { why: importMessages.missing('label') };
    parts.push(`WHEN ${condition.sql} THEN ${quoteText(label, scope)}`);
  }
  const otherwise = cases.map('else', `\`else\` of ${map.subject}`)?.text('label');
  if (parts.length === 0) return { why: importMessages.missing('when') };
  const last = otherwise === undefined ? '' : ` ELSE ${quoteText(otherwise, scope)}`;
  return { sql: `CASE ${parts.join(' ')}${last} END` };
}

function quoteText(text: string, { lexicalRules }: CubeScope): string {
  const escaped = lexicalRules.backslashEscapes ? text.replaceAll('\\', '\\\\') : text;
  return `'${escaped.replaceAll("'", "''")}'`;
}

/** The conditions on the rows of a measure; null without conditions. */
export function readCubeFilters(
  { map }: CubeMember,
  cube: Cube,
  scope: CubeScope,
): { readonly sql: string | null } | { readonly why: string } {
  const conditions: string[] = [];
  const filters = map.allMaps('filters', `a filter of ${map.subject}`);
  if (filters === null) return { why: importMessages.badItems('filters') };
  for (const filter of filters) {
    const read = resolveRowSql(filter.text('sql') ?? '', cube, scope);
    if ('why' in read) return read;
    filter.finish();
    conditions.push(read.sql);
  }
  return { sql: joinConditions(conditions) };
}

/** Resolves a reference to the cube itself: the qualifier of a column; an error in any other place. */
export function resolveSelf(
  { text }: CubePath,
  isQualifier: boolean,
  { entity }: Cube,
  { lexicalRules }: CubeScope,
): SqlReading {
  if (!isQualifier) return { why: importMessages.template(`{${text}}`) };
  return { sql: `${quoteQualifier(entity.name, lexicalRules)}.` };
}

/** Resolves the condition of a join, with columns qualified by their entities. */
export function resolveJoinSql(template: string, cube: Cube, other: Cube, scope: CubeScope): SqlReading {
  return fillCubeSql(template, scope, (path, isQualifier) => {
    const side = [cube, other].find(
      (each) => isOwnPath(path, each) && (each === cube || path.cube === other.name),
    );
    if (side === undefined) return { why: importMessages.otherMember(path.text) };
    if (path.member === null) return resolveSelf(path, isQualifier, side, scope);
    return qualify(resolveDimension(path.member, side, scope, []), side, scope);
  });
}

function qualify(reading: SqlReading, { entity }: Cube, { lexicalRules }: CubeScope): SqlReading {
  if ('why' in reading) return reading;
  const sql = qualifySql(reading.sql, entity.name, lexicalRules);
  return sql === null ? { why: importMessages.uncertain(reading.sql) } : { sql };
}

/** `{CUBE}.column`, `{member}`, `{cube.member}`, or a brace with a backslash. Only Cube understands other text in braces. */
const REFERENCE = /\\([{}])|\{([^{}\\]*)\}(\s*\.\s*)?/g;
const PATH = /^\s*([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\s*$/;

/** Resolves a reference; `isQualifier` says whether a dot follows it. */
type ResolvePath = (path: CubePath, isQualifier: boolean) => SqlReading;

/** A reference in a template. */
interface CubePath {
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
