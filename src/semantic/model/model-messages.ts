import { suggest } from '../../text/suggest.ts';
import { findSynonym, isManyToMany } from './find-synonym.ts';

/** The maximum number of words listed in a message. */
const MAX_WORDS = 12;

/** `; did you mean …?` if a similar word is known. */
function near(word: string, known: Iterable<string>): string {
  return ask(suggest(word, known));
}

/** Like `near`, but also knows the names that other tools use for a key or word. */
function meant(word: string, known: readonly string[]): string {
  return ask(findSynonym(word, known));
}

function ask(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
}

function list(words: readonly string[]): string {
  const shown = words.slice(0, MAX_WORDS).join(', ');
  return words.length > MAX_WORDS ? `${shown}, …` : shown;
}

const VOWEL = /^[aeiou]/i;
const article = (word: string) => (VOWEL.test(word) ? `an ${word}` : `a ${word}`);

const foreign = (written: string, other: string, what: string) =>
  `\`${written}\` is a column of the entity \`${other}\`, but ${what} can only read columns of its entity: `;

/** Messages about the files of a semantic model (docs/reference/semantic-model.md#checking-a-model). */
export const modelMessages = {
  tooLong: () => 'a model file can have at most 2 MB: split it into several files in one folder',
  tooDeep: () => 'this is nested too deep',
  noYaml: (reason: string) => `invalid YAML: ${reason}`,
  severalDocuments: () => 'a file can have only one document: put the next one into a separate file',
  empty: () => 'the file is empty: a model has `version` and `layers`',
  noFiles: (path: string) => `no model files found in ${path}: their names end in .yaml, .yml or .json`,
  noSuchPath: (path: string) => `cannot read ${path}: there is no such file or folder`,
  noModels: (path: string) =>
    `${path} is not a project with models: its project.toml has no \`[semantic.<key>]\``,
  severalModels: (project: string, keys: readonly string[]) =>
    `${project} has several models: choose one of ${list(keys)}`,
  unknownModel: (project: string, key: string, keys: readonly string[]) =>
    `${project} has no \`[semantic.${key}]\`; it has ${list(keys)}${near(key, keys)}`,
  tooMany: (what: string, max: number) => `a model can have at most ${max} ${what}`,
  crowded: (path: string, max: number) => `${path} contains more than ${max} files and folders`,
  moreErrors: (count: number) => `and ${count} more`,

  /** `owner` is the kind of part that has the key. */
  unknownKey: (key: string, owner: string, known: readonly string[]) => {
    const hint = meant(key, known);
    const advice = hint === '' ? `; ${article(owner)} has ${known.join(', ')}` : hint;
    return `unknown key \`${key}\`${advice}`;
  },
  keyAlone: (text: string) =>
    `\`${text}\` is a key without a value: inside { }, put quotes around a value that contains a comma`,
  keyIsNoText: () => 'keys must be strings',
  keyTwice: (key: string) => `\`${key}\` is given twice`,
  missingKey: (key: string, owner: string) => `${article(owner)} needs \`${key}\``,
  wrongType: (subject: string, wanted: string, got: string) => `${subject} must be ${wanted}, not ${got}`,
  quoteIt: (subject: string, text: string) =>
    `${subject} must be a string: write it in quotes, for example ${JSON.stringify(text)}`,
  wrongWord: (subject: string, word: string, known: readonly string[]) => {
    const hint = isManyToMany(word, known)
      ? ': add a bridge entity for the table between the two, with a MANY_TO_ONE relationship to each of them'
      : meant(word, known);
    return `${subject} must be one of ${known.join(', ')}, not \`${word}\`${hint}`;
  },
  wrongForm: (subject: string, wanted: string) => `${subject} must be ${wanted}`,
  tooFew: (subject: string) => `${subject} must not be empty`,
  unknownAlias: (alias: string) => `there is no anchor \`&${alias}\` before this alias`,
  tooManyAliases: () => 'aliases make this file too large: write some of the values out',

  duplicate: (what: string, name: string, place: string) =>
    `another ${what} has the name \`${name}\`, ${place}`,
  duplicateByCase: (what: string, name: string, other: string, place: string) =>
    `${article(what)} with the name \`${other}\`, ${place}, differs from \`${name}\` only in case, which SQL ignores`,
  differs: (key: string, what: string, name: string, place: string) =>
    `\`${key}\` of the ${what} \`${name}\` is different ${place}`,
  tableAndQuery: () => 'an entity has `table_name` or `query`, not both: remove one',
  noSource: () => 'an entity needs `table_name` or `query`',
  unknownEntity: (name: string, known: Iterable<string>) =>
    `there is no entity \`${name}\`${near(name, known)}`,
  otherPlatform: (name: string, platform: string) =>
    `the entity \`${name}\` is in a layer for ${platform}: layers of different platforms cannot be joined`,
  unreachableSelf: () => 'an entity is always reachable from itself: name another entity',
  unknownQualifier: (qualifier: string, sides: readonly [string, string]) =>
    `\`${qualifier}\` is neither \`${sides[0]}\` nor \`${sides[1]}\`${near(qualifier, sides)}`,
  thirdEntity: (written: string, other: string, [from, to]: readonly [string, string]) =>
    `\`${written}\` is a column of the entity \`${other}\`, but this joins \`${from}\` with \`${to}\`: ` +
    `join \`${other}\` with a separate relationship`,
  unknownTimeZone: (zone: string) => {
    const hint = near(zone, Intl.supportedValuesOf('timeZone'));
    return `unknown time zone \`${zone}\`${hint === '' ? '; an example is Europe/Berlin' : hint}`;
  },
  grainsOfType: (type: string) => `only a DATE or DATETIME can have grains, not ${article(type)}`,
  grainTwice: (grain: string) => `the grain ${grain} is given twice`,
  grainTaken: (name: string, grain: string, place: string) =>
    `the grain ${grain} adds a dimension \`${name}\`, but one with this name exists ${place}`,
  caseOfType: (type: string) => `only a TEXT can be case-sensitive, not ${article(type)}`,
  starOfType: (type: string) => `only COUNT accepts \`*\`, not ${type}`,

  /** `known` is the dimension of `other` with that column, if there is one. */
  otherEntity: {
    dimension: (written: string, _: string, other: string, known: string | null) =>
      foreign(written, other, 'a dimension') +
      (known === null
        ? `make it a dimension of \`${other}\``
        : `remove this, and use \`${known}\` in queries`),
    measure: (written: string, entity: string, other: string) =>
      `${foreign(written, other, 'a measure')}join \`${other}\` in the \`query\` of \`${entity}\``,
    filter: (written: string, entity: string, other: string, known: string | null) =>
      `${foreign(written, other, 'a filter')}filter queries by ${known === null ? `a dimension of \`${other}\`` : `\`${known}\``}, ` +
      `or join \`${other}\` in the \`query\` of \`${entity}\``,
    key: (written: string, entity: string, other: string) =>
      `${foreign(written, other, 'a key')}name columns of \`${entity}\``,
  },
  aggregateInRow: (call: string, what: string) =>
    `${what} is computed row by row, and \`${call}\` aggregates rows`,
  aggregateTwice: (call: string, type: string) =>
    `${type} already aggregates, and so does \`${call}\`: remove one, or use CUSTOM`,
  windowInCustom: (call: string) =>
    `\`${call} … OVER\` is a window function, so its value depends on the other fields of a query: compute it over the result, ` +
    'for example SELECT *, SUM(revenue) OVER (ORDER BY month) FROM (…) AS result, with the SQL of `quern semantic codegen` in the parentheses',
  windowInJoin: (call: string) =>
    `\`${call} … OVER\` is a window function, which is not allowed in a join: compute it in the entity's \`query\``,
  customWithoutAggregate: () =>
    'a CUSTOM measure must aggregate in its `expr`, for example SUM(amount) / COUNT(*)',
  unfinishedSql: (what: string) => `this SQL contains ${what} that is not closed`,
  parenthesis: (sign: string) => `this SQL has an unmatched \`${sign}\``,
  /** `quoted` as YAML writes it. */
  reservedWord: (word: string, quoted: string) =>
    `\`${word}\` is a reserved word of the database: if a column has this name, write ${quoted}`,
  several: () => 'this SQL is a list of expressions with commas: it must be one expression',
  distinct: () =>
    'an expression cannot start with DISTINCT: use COUNT_DISTINCT, or CUSTOM, for example SUM(DISTINCT amount)',
  semicolon: () => 'this SQL becomes part of a statement, so it cannot contain `;`',
  endsInComment: () => 'this SQL ends with a comment that would hide the SQL after it: write it as /* … */',
  sqlParameter: (text: string) => `SQL of a model cannot have parameters such as \`${text}\``,

  /** The name of the database's type follows. */
  otherType: (type: string) => `this is declared as ${type}, but in the database it is`,
  fractions: () => 'this is declared as INTEGER, but in the database it has values with fractions',
  noCondition: () => 'a filter must be a condition, for example paid = 1, but in the database this is',
  keyRepeats: (columns: readonly string[]) =>
    `several rows have the same ${columns.join(', ')}, which is declared as their primary key`,
  severalRows: (joinType: string, one: string, other: string) =>
    `this is declared as ${joinType}, but one row of ${one} has several rows of ${other}`,

  oneSided: ([one, other]: readonly [string, string]) =>
    `columns of both sides need the name of their entity, for example \`${one}.… = ${other}.…\`: no query can use this`,
  looseText: (literal: string, exact: string) =>
    `${literal} is compared with the collation of its column, which can treat other texts as equal, for example in ` +
    `another case; filters of queries do not: to compare exactly, write \`${exact}\` before the comparison`,
  unreachable: (name: string) =>
    `no relationship connects \`${name}\` with other entities: it can only be queried alone`,
  ambiguous: (from: string, to: string, paths: readonly string[]) =>
    `several paths lead equally well from \`${from}\` to \`${to}\`, by ${list(paths)}: queries that need both must choose one`,
  moreAmbiguous: (count: number) => `and ${count} more pairs of entities are connected by equally good paths`,
};
