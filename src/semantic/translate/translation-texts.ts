const quote = (name: string) => `\`${name}\``;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const meant = (near: string | undefined) => (near === undefined ? '' : `: did you mean \`${near}\`?`);

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
  noFrom: () => 'a SELECT without FROM is not supported yet: name an entity',
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
    `measure ${quote(name)} is an aggregate already: it cannot stand in another one`,
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
    `there is no portable function ${quote(name)}${meant(near)}`,
  unknownType: (name: string) => `type ${quote(name)} is not supported`,
  notCondition: (clause: string, type: string) => `${clause} takes a condition, not a ${type}`,
  pattern: () => 'LIKE takes a pattern that is written out',
  escape: () => 'ESCAPE takes one character that is written out',
  unit: (units: readonly string[]) => `the unit is written out: one of ${units.join(', ')}`,
  ordinal: (clause: string, most: number) => `${clause} has no column of that number: there are ${most}`,
  groupByMeasure: () => 'GROUP BY cannot have a measure: leave it out',
  nothing: () => 'the statement asks for no column of an entity',
  star: () => '`*` stands alone in SELECT, or in COUNT(*)',
  offset: () => 'OFFSET needs LIMIT: write one',
  tooManyColumns: (most: number) => `a SELECT has at most ${most} columns`,
  aliasTwice: (alias: string) => `alias ${quote(alias)} is given twice`,
  distinctKeys: () => 'SELECT DISTINCT leaves out columns of GROUP BY: select them, or group by fewer',
  timeZone: () => 'a time zone is not supported: the model has one',
  now: (name: string) => `${name.toUpperCase()} is not supported here: write the date`,
};
