const quote = (name: string) => `\`${name}\``;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const meant = (near: string | undefined) => (near === undefined ? '' : `: did you mean \`${near}\`?`);

/** What to write for functions that people and BI tools write often. */
const INSTEAD: Readonly<Record<string, string>> = {
  to_char:
    'write DATE_TRUNC for a unit of time, EXTRACT for a part of a date, or CAST(… AS TEXT) for a number',
  date_format: 'write DATE_TRUNC for a unit of time, or EXTRACT for a part of a date',
  strftime: 'write DATE_TRUNC for a unit of time, or EXTRACT for a part of a date',
  to_timestamp: "write the time out, as in TIMESTAMP '2026-01-31 12:00:00'",
  to_date: "write the date out, as in DATE '2026-01-31'",
  getdate: 'write the date out',
  datediff: 'subtract one date from the other',
  age: 'subtract one date from the other',
  dateadd: "write an interval, as in ordered_at + INTERVAL '1 day'",
  ifnull: 'write COALESCE',
  isnull: 'write COALESCE, or IS NULL for a condition',
  nvl: 'write COALESCE',
  iif: 'write CASE WHEN … THEN … ELSE … END',
  if: 'write CASE WHEN … THEN … ELSE … END',
  len: 'write LENGTH',
  trunc: 'TRUNC takes one number',
  string_agg: 'name the column in SELECT: each of its values is a row',
  array_agg: 'name the column in SELECT: each of its values is a row',
  stddev: 'add a CUSTOM measure to the model',
  variance: 'add a CUSTOM measure to the model',
  version: 'run it on the connection behind the model',
  current_schema: 'run it on the connection behind the model',
};

function writeInstead(name: string): string {
  return Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : '';
}

/** What is said of statements that a model cannot answer; each says what to write instead, where something means the same. */
export const translationTexts = {
  unknownEntity: (name: string, near: string | undefined) =>
    `there is no entity ${quote(name)}${meant(near)}`,
  ambiguousEntity: (name: string, found: readonly string[]) =>
    `${quote(name)} may be several entities: ${list(found)}; write one of them in double quotes`,
  aliased: (name: string, alias: string) => `entity ${quote(name)} is called ${quote(alias)} here`,
  twice: (name: string) =>
    `entity ${quote(name)} stands in FROM twice: name it once; for its other roles, name a relationship path, as in \`"orders.ship_to" AS s\``,
  nameTwice: (name: string) => `${quote(name)} names two parts of FROM: give one of them an alias`,
  join: (kind: string) =>
    `${kind} between entities is not supported: write them with a comma, and the model supplies the join`,
  unknownColumn: (name: string, near: string | undefined) =>
    `there is no column ${quote(name)}${meant(near)}`,
  unknownQuoted: (name: string) =>
    `there is no column ${quote(name)}: a text stands in single quotes, as in '${name}'`,
  unknownField: (name: string, entity: string, near: string | undefined) =>
    `entity ${quote(entity)} has no column ${quote(name)}${meant(near)}`,
  ambiguousColumn: (name: string, found: readonly string[]) =>
    `column ${quote(name)} is ambiguous: write ${found.map(quote).join(' or ')}`,
  notReached: (name: string, from: readonly string[]) =>
    `${quote(name)} is not reached from ${list(from)} over to-one relationships`,
  noColumn: (name: string, relation: string, near: string | undefined) =>
    `${quote(relation)} has no column ${quote(name)}${meant(near)}`,
  mixed: () =>
    'an entity cannot be joined with a result: select from the entity in a sub-query, or write IN (SELECT …)',
  correlated: (name: string) =>
    `${quote(name)} belongs to the outer SELECT, which a sub-query cannot refer to: select from both entities at once, or write IN (SELECT …)`,
  joinOrder: (kind: string) => `${kind} JOIN behind a comma is not supported: write it in a sub-query`,
  nestedJoin: () => 'joins in parentheses are not supported: write them one after another',
  fullUsing: () => 'FULL JOIN … USING is not supported: write ON',
  onCondition: (type: string) => `ON takes a condition, not a ${type}`,
  oneColumn: (count: number) => `a sub-query has one column here, not ${count}`,
  sideColumns: (left: number, right: number) =>
    `both sides need the same number of columns: one has ${left}, the other ${right}`,
  sideTypes: (name: string, left: string, right: string) =>
    `column ${quote(name)} is ${left} on one side and ${right} on the other`,
  rowLength: (count: number) => `each row of VALUES has ${count} values`,
  aliasCount: (given: number, count: number) => `${given} names are given to ${count} columns`,
  noWindow: (name: string) => `there is no window ${quote(name)}: define it with WINDOW`,
  windowInRow: (clause: string) =>
    `a window function cannot stand in ${clause}: filter by it in an outer SELECT`,
  windowDistinct: () => 'DISTINCT cannot stand in a window function',
  frameUnit: () => 'GROUPS frames are not supported: write ROWS',
  frameRange: () => 'RANGE with a number is not supported: write ROWS',
  frameRows: () => 'the number of rows is written out',
  noFunction: (name: string) => `there is no portable window function ${quote(name)}`,
  summed: (name: string) =>
    `SUM of ${quote(name)} adds up finished groups: what is in several groups counts several times.`,
  merged: (name: string) =>
    `The sub-query ${quote(name)} has one row for each combination of its columns, so equal rows count once: select a key too, such as \`id\`.`,
  measureOfResult: (name: string) => `${quote(name)} is a column of a result: name it alone`,
  sameResults: () => 'VALUES takes constant values',
  starOfRows: () => 'write COUNT(*)',
  notYet: (what: string) => `${what} is not supported yet`,
  measureInRow: (name: string, clause: string) =>
    `measure ${quote(name)} cannot stand in ${clause}: filter by measures with HAVING`,
  aggregateInRow: (name: string, clause: string) =>
    `aggregate ${name.toUpperCase()} cannot stand in ${clause}: filter by aggregates with HAVING`,
  notGrouped: (name: string) => `column ${quote(name)} must be in GROUP BY, or in an aggregate`,
  measureOf: (name: string) => `${name.toUpperCase()} takes one measure, by its name`,
  noMeasure: (name: string) => `${quote(name)} is a dimension: MEASURE takes a measure`,
  aggregateOfMeasure: (call: string, measure: string, type: string, instead: string) =>
    `${call} of the measure ${quote(measure)}, which is ${type}: write ${instead}`,
  nestedAggregate: () => 'an aggregate cannot stand in another one',
  measureInAggregate: (name: string) =>
    `measure ${quote(name)} is an aggregate already: it cannot stand in another one, write \`MEASURE(${name})\``,
  rowsOfSeveral: (names: readonly string[]) =>
    `FROM names several entities: write ${names.map((name) => `\`COUNT(${name}.*)\``).join(' or ')}`,
  noFields: (name: string) =>
    `${name.toUpperCase()} of a value alone is not supported: name a column, or write COUNT(*)`,
  oneArgument: (name: string) => `${name.toUpperCase()} takes one argument`,
  distinct: (name: string) => `${name.toUpperCase()} with DISTINCT is not supported: only COUNT takes it`,
  pathMeasure: () =>
    'an aggregate over a relationship path alone is not supported: name the entity itself, or a measure of it',
  rowsOfPath: () => 'rows of a relationship path cannot be counted: name a COUNT measure of the entity',
  unknownFunction: (name: string, near: string | undefined) =>
    `there is no portable function ${quote(name)}${writeInstead(name) || meant(near)}`,
  unknownType: (name: string) => `type ${quote(name)} is not supported`,
  notCondition: (clause: string, type: string) => `${clause} takes a condition, not a ${type}`,
  pattern: () => 'LIKE takes a pattern that is written out',
  escape: () => 'ESCAPE takes one character that is written out',
  unit: (unit: string, units: readonly string[]) =>
    unit === ''
      ? `the unit is written out: one of ${units.join(', ')}`
      : `unit ${quote(unit)} is not supported: write one of ${units.join(', ')}`,
  ordinal: (clause: string, most: number) => `${clause} has no column of that number: there are ${most}`,
  groupByMeasure: () => 'GROUP BY cannot have a measure: leave it out',
  nothing: () => 'the statement asks for no column of an entity',
  star: () => '`*` stands alone in SELECT, or in COUNT(*)',
  tooManyColumns: (most: number) => `a SELECT has at most ${most} columns`,
  aliasTwice: (alias: string) => `alias ${quote(alias)} is given twice`,
  tooLarge: () => 'the expression would become too much SQL: compute parts of it in a sub-query',
  showPath: () => 'SHOW FIELDS FROM takes an entity, not a path',
  setOrder: () =>
    'UNION, INTERSECT, EXCEPT and VALUES are ordered by their columns: name one, or give its number',
  distinctOrder: () => 'SELECT DISTINCT can be ordered only by columns that it selects',
  timeZone: () => 'a time zone is not supported: the model has one',
  now: (name: string) =>
    `${name.toUpperCase()} is not supported here: write the date, as in DATE '2026-01-31'`,
};
