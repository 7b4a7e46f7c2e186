import { modelMessages } from '../../model/model-messages.ts';

const quote = (name: string) => `\`${name}\``;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const meant = (near: string | undefined) => (near === undefined ? '' : `: did you mean \`${near}\`?`);

/** Hints for functions that people and BI tools often write. */
const INSTEAD: Readonly<Record<string, string>> = {
  date_format: "write TO_CHAR, such as TO_CHAR(ordered_at, 'YYYY-MM')",
  strftime: "write TO_CHAR, such as TO_CHAR(ordered_at, 'YYYY-MM')",
  to_timestamp: "write a text and the format 'YYYY-MM-DD HH24:MI:SS', with '.MS' or '.US' for a fraction",
  to_date: "write a text and the format 'YYYY-MM-DD' or 'YYYYMMDD'",
  getdate: 'write NOW()',
  sysdate: 'write NOW()',
  today: 'write CURRENT_DATE',
  curdate: 'write CURRENT_DATE',
  age: 'write DATEDIFF, such as DATEDIFF(day, ordered_at, paid_at)',
  date_diff: 'write DATEDIFF, such as DATEDIFF(day, ordered_at, paid_at)',
  timestampdiff: 'write DATEDIFF, such as DATEDIFF(day, ordered_at, paid_at)',
  timestampadd: 'write DATEADD, such as DATEADD(day, 7, ordered_at)',
  date_sub: "subtract an interval, such as ordered_at - INTERVAL '1 day'",
  ifnull: 'write COALESCE',
  isnull: 'write COALESCE, or IS NULL for a condition',
  nvl: 'write COALESCE',
  iif: 'write CASE WHEN … THEN … ELSE … END',
  if: 'write CASE WHEN … THEN … ELSE … END',
  len: 'write LENGTH',
  trunc: 'TRUNC takes only one number',
  string_agg: 'put the column in SELECT: each of its values is a row',
  array_agg: 'put the column in SELECT: each of its values is a row',
  stddev: 'add a CUSTOM measure to the model',
  variance: 'add a CUSTOM measure to the model',
  version: 'run it on the connection behind the model',
  current_schema: 'run it on the connection behind the model',
};

function writeInstead(name: string): string {
  return Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : '';
}

/** Messages for statements that a model cannot answer. Each says what to write instead, if there is an equivalent. */
export const translationTexts = {
  unknownEntity: (name: string, near: string | undefined) =>
    `there is no entity ${quote(name)}${meant(near)}`,
  ambiguousEntity: (name: string, candidates: readonly string[]) =>
    `${quote(name)} could mean several entities: ${list(candidates)}; write one of them in double quotes`,
  aliased: (name: string, alias: string) =>
    `entity ${quote(name)} has the alias ${quote(alias)} here: use the alias`,
  twice: (name: string) =>
    `entity ${quote(name)} is in FROM twice: name it once; for its other roles, name a relationship path, such as \`"orders.ship_to" AS s\``,
  nameTwice: (name: string) => `two parts of FROM are called ${quote(name)}: give one of them an alias`,
  join: (kind: string) =>
    `${kind} between entities is not supported: separate them with a comma, and the model supplies the join`,
  unknownColumn: (name: string, near: string | undefined) =>
    `there is no column ${quote(name)}${meant(near)}`,
  unknownQuoted: (name: string) =>
    `there is no column ${quote(name)}: put text in single quotes, such as '${name}'`,
  unknownField: (name: string, entity: string, near: string | undefined) =>
    `entity ${quote(entity)} has no column ${quote(name)}${meant(near)}`,
  ambiguousColumn: (name: string, candidates: readonly string[]) =>
    `column ${quote(name)} is ambiguous: write ${candidates.map(quote).join(' or ')}`,
  notReached: (name: string, from: readonly string[]) =>
    `${quote(name)} cannot be reached from ${list(from)} over to-one relationships`,
  noColumn: (name: string, relation: string, near: string | undefined) =>
    `${quote(relation)} has no column ${quote(name)}${meant(near)}`,
  mixed: () =>
    'an entity cannot be joined with a result by a comma: write JOIN … ON with the keys of the result, or IN (SELECT …)',
  /** `missing` are columns of the result. */
  resultKeys: (name: string, missing: readonly string[]) =>
    `ON must compare each key of the result ${quote(name)} with a column of an entity, by = or IS NOT DISTINCT FROM: ${list(missing)} is missing`,
  resultRows: (name: string) =>
    `the result ${quote(name)} can have several rows for one row of an entity: it needs GROUP BY, and all its keys in SELECT`,
  resultRow: (name: string) =>
    `the result ${quote(name)} has the same row for all rows of an entity: write it as a sub-query in an expression, (SELECT …)`,
  resultPath: (name: string) =>
    `the result ${quote(name)} is compared with a path to several rows: compare it with columns of the entity itself`,
  outerResult: (kind: string) =>
    `${kind} JOIN of an entity with a result is not supported: write JOIN, or join two results`,
  resultUsing: () => 'JOIN … USING of an entity with a result is not supported: write ON',
  correlated: (name: string) =>
    `${quote(name)} belongs to the outer SELECT, which a sub-query cannot refer to: select from both entities at once, or write IN (SELECT …)`,
  joinOrder: (kind: string) => `${kind} JOIN after a comma is not supported: write it in a sub-query`,
  nestedJoin: () => 'joins in parentheses are not supported: write them one after another',
  fullUsing: () => 'FULL JOIN … USING is not supported: write ON',
  onCondition: (type: string) => `ON takes a condition, not a ${type}`,
  oneColumn: (count: number) => `this sub-query must have one column, not ${count}`,
  sideColumns: (left: number, right: number) =>
    `both sides need the same number of columns: one has ${left}, the other ${right}`,
  sideTypes: (name: string, left: string, right: string) =>
    `column ${quote(name)} is ${left} on one side and ${right} on the other`,
  rowLength: (count: number) => `each row of VALUES has ${count} values`,
  aliasCount: (names: number, count: number) => `the alias has ${names} names for ${count} columns`,
  noWindow: (name: string) => `there is no window ${quote(name)}: define it with WINDOW`,
  windowInRow: (clause: string) =>
    `a window function is not allowed in ${clause}: filter by it in an outer SELECT`,
  windowDistinct: () => 'DISTINCT is not allowed in a window function',
  frameUnit: () => 'GROUPS frames are not supported: write ROWS',
  frameRange: () => 'RANGE with a number is not supported: write ROWS',
  frameRows: () => 'the number of rows must be a literal',
  noFunction: (name: string) => `there is no portable window function ${quote(name)}`,
  summed: (name: string) =>
    `SUM of ${quote(name)} adds finished groups: rows that are in several groups count several times.`,
  merged: (name: string) =>
    `The sub-query ${quote(name)} has one row for each combination of its columns, so equal rows count once: also select a key such as \`id\`.`,
  /** Follows another message. */
  groupedResult: (name: string, keys: readonly string[]) =>
    `; the sub-query ${quote(name)} is a result here, ${keys.length === 0 ? 'of one row' : `as with GROUP BY ${list(keys)}`}`,
  measureOfResult: (name: string) => `${quote(name)} is a column of a result: write it without an aggregate`,
  sameResults: () => 'VALUES must contain constant values',
  starOfRows: () => 'write COUNT(*)',
  notYet: (what: string) => `${what} is not supported yet`,
  measureInRow: (name: string, clause: string) =>
    `measure ${quote(name)} is not allowed in ${clause}: filter by measures with HAVING`,
  aggregateInRow: (name: string, clause: string) =>
    `aggregate ${name.toUpperCase()} is not allowed in ${clause}: filter by aggregates with HAVING`,
  notGrouped: (name: string) => `column ${quote(name)} must be in GROUP BY or in an aggregate`,
  measureOf: (name: string) => `${name.toUpperCase()} takes the name of one measure`,
  noMeasure: (name: string) => `${quote(name)} is a dimension: MEASURE takes a measure`,
  aggregateOfMeasure: (call: string, measure: string, type: string, instead: string) =>
    `${call} of the measure ${quote(measure)}, which is ${type}: write ${instead}`,
  nestedAggregate: () => 'an aggregate is not allowed inside another one',
  measureInAggregate: (name: string) =>
    `measure ${quote(name)} is already an aggregate and is not allowed inside another one: write \`MEASURE(${name})\``,
  rowsOfSeveral: (names: readonly string[]) => `FROM names several entities: write ${printCounts(names)}`,
  rowsOfResult: (names: readonly string[]) =>
    `the rows of a result that is joined with an entity cannot be counted: write ${printCounts(names)}`,
  noFields: (name: string) =>
    `${name.toUpperCase()} of a constant is not supported: name a column, or write COUNT(*)`,
  oneArgument: (name: string) => `${name.toUpperCase()} takes one argument`,
  distinct: (name: string) => `${name.toUpperCase()} with DISTINCT is not supported: only COUNT takes it`,
  pathMeasure: () =>
    'an aggregate over only a relationship path is not supported: name the entity itself, or a measure of it',
  rowsOfPath: () => 'rows of a relationship path cannot be counted: name a COUNT measure of the entity',
  unknownFunction: (name: string, near: string | undefined) =>
    `there is no portable function ${quote(name)}${writeInstead(name) || meant(near)}`,
  unknownType: (name: string) => `type ${quote(name)} is not supported`,
  notCondition: (clause: string, type: string) => `${clause} takes a condition, not a ${type}`,
  pattern: () => 'LIKE needs a constant pattern, such as a literal',
  escape: () => 'ESCAPE needs a literal character',
  unit: (unit: string, units: readonly string[]) =>
    unit === ''
      ? `the unit must be a literal: one of ${units.join(', ')}`
      : `unit ${quote(unit)} is not supported: write one of ${units.join(', ')}`,
  /** `example` as in `DATEADD(day, 7, ordered_at)`. */
  shape: (name: string, example: string) => `${name.toUpperCase()} has the form \`${example}\``,
  charValue: (type: string) =>
    `TO_CHAR takes a DATE, TIMESTAMP or DATETIME, not ${type}: write CAST(n AS TEXT) for the text of an INTEGER`,
  charPattern: () => "TO_CHAR needs a constant pattern, such as 'YYYY-MM'",
  unknownPart: (part: string, parts: readonly string[]) =>
    `pattern ${quote(part)} is not supported: put plain text in double quotes, or write one of ${parts.join(', ')}, with FM before it to remove zeros and blanks`,
  noPart: (parts: readonly string[]) => `the pattern has no part of a date: write one of ${parts.join(', ')}`,
  openQuote: () => 'a double quote in the pattern is not closed: add a `"`',
  tooManyParts: (max: number) => `a pattern can have at most ${max} parts`,
  noArguments: (name: string) => `${name.toUpperCase()} takes no arguments`,
  interval: () => "this must be an interval, such as INTERVAL '7 days' or n * INTERVAL '1 day'",
  ordinal: (clause: string, max: number) => `${clause} has no column with that number: the maximum is ${max}`,
  groupByMeasure: () => 'GROUP BY cannot contain a measure: remove it',
  groupByUnselected: () => 'GROUP BY contains a measure that is not selected: remove it',
  groupingKey: () => 'GROUPING takes a key of GROUP BY: add this value to GROUP BY, or remove it',
  groupingKeys: (max: number) => `GROUPING takes at most ${max} keys`,
  nothing: () => 'the statement uses no column of an entity',
  star: () => '`*` is allowed only by itself in SELECT, or in COUNT(*)',
  tooManyColumns: (max: number) => `a SELECT can have at most ${max} columns`,
  aliasTwice: (alias: string) => `alias ${quote(alias)} is given twice`,
  tooLarge: () => 'the expression would become too much SQL: compute parts of it in a sub-query',
  showPath: () => 'SHOW FIELDS FROM takes an entity, not a path',
  setOrder: () =>
    'UNION, INTERSECT, EXCEPT and VALUES can be ordered only by their columns: use a column name or number',
  distinctOrder: () => 'SELECT DISTINCT can be ordered only by selected columns',
  timeZone: (name: string) =>
    name === ''
      ? 'AT TIME ZONE takes the name of a time zone as a literal, such as `Europe/Berlin`'
      : modelMessages.unknownTimeZone(name),
};

function printCounts(names: readonly string[]): string {
  return names.map((name) => quote(`COUNT(${name}.*)`)).join(' or ');
}
