import { suggest } from '../../engine/text/suggest.ts';
import { findSynonym, isManyToMany } from './find-synonym.ts';

/** How many words a list in a message has at most. */
const MAX_WORDS = 12;

/** `; did you mean …?` where something near is known. */
function near(word: string, known: Iterable<string>): string {
  return ask(suggest(word, known));
}

/** The same for a key or a word of a model, which other tools may call otherwise. */
function meant(word: string, known: readonly string[]): string {
  return ask(findSynonym(word, known));
}

function ask(found: string | undefined): string {
  return found === undefined ? '' : `; did you mean \`${found}\`?`;
}

function list(words: readonly string[]): string {
  const shown = words.slice(0, MAX_WORDS).join(', ');
  return words.length > MAX_WORDS ? `${shown}, …` : shown;
}

const VOWEL = /^[aeiou]/i;
const article = (word: string) => (VOWEL.test(word) ? `an ${word}` : `a ${word}`);

const foreign = (written: string, other: string, what: string) =>
  `\`${written}\` is a column of the entity \`${other}\`, and ${what} reads only columns of its own entity: `;

/** What is said of the files of a semantic model (semantic 1). */
export const modelFaults = {
  tooLong: () => 'a file of a model has at most 2 MB: cut it into several, in one folder',
  tooDeep: () => 'this is nested too deep',
  noYaml: (reason: string) => `no valid YAML: ${reason}`,
  severalDocuments: () => 'a file has one document: put the next one into a file of its own',
  empty: () => 'there is nothing here: a model has `version` and `layers`',
  noFiles: (path: string) => `there are no files of a model in ${path}: they end in .yaml, .yml or .json`,
  noSuchPath: (path: string) => `there is no file or folder ${path}`,
  noModels: (path: string) =>
    `${path} is no project with models: its project.toml has no \`[semantic.<key>]\``,
  severalModels: (project: string, keys: readonly string[]) =>
    `${project} has several models: choose one of ${list(keys)}`,
  unknownModel: (project: string, key: string, keys: readonly string[]) =>
    `${project} has no \`[semantic.${key}]\`, but ${list(keys)}${near(key, keys)}`,
  tooMany: (what: string, most: number) => `a model has at most ${most} ${what}`,
  crowded: (path: string, most: number) => `${path} holds more than ${most} files and folders`,
  moreFaults: (count: number) => `and ${count} more`,

  /** `owner` is what the key would be one of. */
  unknownKey: (key: string, owner: string, known: readonly string[]) => {
    const hint = meant(key, known);
    const rest = hint === '' ? `; ${article(owner)} has ${known.join(', ')}` : hint;
    return `unknown key \`${key}\`${rest}`;
  },
  keyAlone: (text: string) =>
    `\`${text}\` is a key without a value: inside of { }, what has a comma needs quotes around it`,
  keyIsNoText: () => 'a key is a word',
  keyTwice: (key: string) => `\`${key}\` is given twice`,
  missingKey: (key: string, owner: string) => `${article(owner)} needs \`${key}\``,
  wrongType: (subject: string, wanted: string, got: string) => `${subject} must be ${wanted}, not ${got}`,
  quoteIt: (subject: string, text: string) =>
    `${subject} must be a string: write it in quotes, as ${JSON.stringify(text)}`,
  wrongWord: (subject: string, word: string, known: readonly string[]) => {
    const hint = isManyToMany(word, known)
      ? ': make the table between the two an entity, the bridge entity, with a MANY_TO_ONE relationship to each of them'
      : meant(word, known);
    return `${subject} must be one of ${known.join(', ')}, not \`${word}\`${hint}`;
  },
  wrongForm: (subject: string, wanted: string) => `${subject} must be ${wanted}`,
  tooFew: (subject: string) => `${subject} must not be empty`,
  unknownAlias: (alias: string) => `nothing before this is called \`&${alias}\``,
  tooManyAliases: () => 'aliases make this file too large: write some of it out',

  duplicate: (what: string, name: string, place: string) => `another ${what} is called \`${name}\`, ${place}`,
  duplicateByCase: (what: string, name: string, other: string, place: string) =>
    `${article(what)} called \`${other}\`, ${place}, differs from \`${name}\` by case alone, which SQL does not see`,
  differs: (key: string, what: string, name: string, place: string) =>
    `\`${key}\` of the ${what} \`${name}\` is another one ${place}`,
  tableAndQuery: () => 'an entity has `table_name` or `query`, not both: leave one out',
  noSource: () => 'an entity needs `table_name` or `query`',
  unknownEntity: (name: string, known: Iterable<string>) =>
    `there is no entity \`${name}\`${near(name, known)}`,
  otherPlatform: (name: string, platform: string) =>
    `the entity \`${name}\` is in a layer for ${platform}: no SQL can join the two`,
  unreachableSelf: () => 'an entity is always reached from itself: name another one',
  unknownQualifier: (qualifier: string, sides: readonly [string, string]) =>
    `\`${qualifier}\` is neither \`${sides[0]}\` nor \`${sides[1]}\`${near(qualifier, sides)}`,
  thirdEntity: (written: string, other: string, [from, to]: readonly [string, string]) =>
    `\`${written}\` is a column of the entity \`${other}\`, and this joins \`${from}\` with \`${to}\`: ` +
    `join \`${other}\` by a relationship of its own`,
  unknownTimeZone: (zone: string) => {
    const hint = near(zone, Intl.supportedValuesOf('timeZone'));
    return `there is no time zone \`${zone}\`${hint === '' ? '; one is Europe/Berlin' : hint}`;
  },
  grainsOfType: (type: string) => `only a DATE or DATETIME has grains, not ${article(type)}`,
  grainTwice: (grain: string) => `the grain ${grain} is given twice`,
  grainTaken: (name: string, grain: string, place: string) =>
    `the grain ${grain} adds a dimension \`${name}\`, which there is already, ${place}`,
  caseOfType: (type: string) => `only a TEXT can be case-sensitive, not ${article(type)}`,
  starOfType: (type: string) => `only COUNT takes \`*\`, not ${type}`,

  /** `known` is the dimension of `other` that is the column, if there is one. */
  otherEntity: {
    dimension: (written: string, _: string, other: string, known: string | null) =>
      foreign(written, other, 'a dimension') +
      (known === null ? `make it a dimension of \`${other}\`` : `leave this out, and ask for \`${known}\``),
    measure: (written: string, own: string, other: string) =>
      `${foreign(written, other, 'a measure')}join \`${other}\` in the \`query\` of \`${own}\``,
    filter: (written: string, own: string, other: string, known: string | null) =>
      `${foreign(written, other, 'a filter')}filter questions by ${known === null ? `a dimension of \`${other}\`` : `\`${known}\``}, ` +
      `or join \`${other}\` in the \`query\` of \`${own}\``,
    key: (written: string, own: string, other: string) =>
      `${foreign(written, other, 'a key')}name columns of \`${own}\``,
  },
  aggregateInRow: (call: string, what: string) =>
    `${what} is computed row by row, and \`${call}\` aggregates rows`,
  aggregateTwice: (call: string, type: string) =>
    `${type} aggregates already, and so does \`${call}\`: leave one out, or make it CUSTOM`,
  windowInCustom: (call: string) =>
    `\`${call} … OVER\` is a window function, so its value depends on the other fields of a question: compute it over the result, ` +
    'as in SELECT *, SUM(revenue) OVER (ORDER BY month) FROM (…) AS result, with the SQL of `quern semantic codegen` in the parentheses',
  windowInJoin: (call: string) =>
    `\`${call} … OVER\` is a window function, which no join can have: compute it in the entity's \`query\``,
  customWithoutAggregate: () => 'a CUSTOM measure aggregates in its `expr`, as in SUM(amount) / COUNT(*)',
  unfinishedSql: (what: string) => `this SQL has ${what} without its end`,
  parenthesis: (sign: string) => `this SQL has a \`${sign}\` without its other half`,
  several: () => 'this SQL is several expressions, with a comma between them: it must be one',
  distinct: () => 'DISTINCT begins no expression: use COUNT_DISTINCT, or CUSTOM, as in SUM(DISTINCT amount)',
  semicolon: () => 'this SQL is part of a statement, so it has no `;`',
  endsInComment: () => 'this SQL ends in a comment that would hide what follows it: write it as /* … */',
  sqlParameter: (text: string) => `SQL of a model has no parameters, as \`${text}\` would be`,

  /** The name of the database's type follows. */
  otherType: (type: string) => `this is declared as ${type}, but to the database it is`,
  noCondition: () => 'a filter is a condition, as in paid = 1, but to the database this is',
  keyRepeats: (columns: readonly string[]) =>
    `several rows have the same ${columns.join(', ')}, which is declared to tell them apart`,
  severalRows: (joinType: string, one: string, other: string) =>
    `this is declared as ${joinType}, but a row of ${one} has several of ${other}`,

  oneSided: ([one, other]: readonly [string, string]) =>
    `columns of both sides need their entity's name before them, as in \`${one}.… = ${other}.…\`: no question can use this`,
  looseText: (literal: string, exact: string) =>
    `${literal} is compared by the collation of its column, which may take other texts for the same, such as those in ` +
    `another case, and filters of questions do not: to compare by the letter, write \`${exact}\` before the comparison`,
  unreachable: (name: string) =>
    `no relationship connects \`${name}\` with other entities: it can only be asked about alone`,
  ambiguous: (from: string, to: string, paths: readonly string[]) =>
    `\`${from}\` reaches \`${to}\` equally well by ${list(paths)}: questions that need both must choose one`,
  moreAmbiguous: (count: number) => `and ${count} more pairs of entities are connected by equally good paths`,
};
