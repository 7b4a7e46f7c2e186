const KEYWORDS =
  'SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT JOIN LEFT INNER ON AS AND OR NOT NULL IS IN LIKE BETWEEN CASE WHEN THEN ELSE END INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE VIEW DROP ALTER WITH UNION ALL DISTINCT DESC ASC'.split(
    ' ',
  );

/** The candidates for the last word of a line, and that word. */
export function completeSql(
  line: string,
  names: readonly string[],
  dotCommands: readonly string[],
): [candidates: string[], word: string] {
  const word = /[\w.$]*$/.exec(line)?.[0] ?? '';
  if (line.startsWith('.') && !line.includes(' ')) return [startingWith(dotCommands, line), line];
  if (word === '') return [[], ''];
  const keywords = KEYWORDS.map((keyword) => (word === word.toLowerCase() ? keyword.toLowerCase() : keyword));
  return [[...startingWith(names, word), ...startingWith(keywords, word)], word];
}

const startingWith = (all: readonly string[], word: string) =>
  all.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
