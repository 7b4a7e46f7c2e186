import { describe, expect, it } from 'vitest';
import { isRepeatable } from '../../../../src/engine/connection/contract/is-repeatable.ts';
import { duckdbRules } from '../../../../src/engine/text/lexical-rules.ts';

/** Functions whose results do not depend on randomness or on the order of rows. */
const STABLE = new Set('abs lower upper round concat length count max min bool_or now list_sort'.split(' '));
const VOLATILE_VIEWS = new Set(['dice', 'my view']);

const knowledge = {
  lexicalRules: duckdbRules,
  stable: STABLE,
  volatileViews: VOLATILE_VIEWS,
  readsFiles: true,
};
const mayBeView = (query: string) => isRepeatable(query, knowledge);

describe('a query may be a view', () => {
  it.each([
    ['of a table', 'SELECT * FROM t'],
    ['that begins with FROM', 'FROM t'],
    ['with joins', 'SELECT * FROM a JOIN b USING (x) LEFT JOIN c ON (a.y = c.y), LATERAL (SELECT 1) AS d'],
    ['with groups', 'SELECT lower(x), count(*), max(y) FROM t GROUP BY ALL HAVING (count(*) > 1)'],
    [
      'with grouping sets',
      'SELECT x, count(*) FROM t GROUP BY GROUPING SETS ((x), ()), CUBE (x), ROLLUP (x)',
    ],
    ['with FILTER and DISTINCT', 'SELECT count(DISTINCT x) FILTER (WHERE y > 1) FROM t'],
    [
      'with conditions',
      "SELECT CASE WHEN (x IN (1, 2)) AND NOT (y IS NULL) THEN ('a') ELSE ('b') END FROM t",
    ],
    ['with sub-queries', 'SELECT (SELECT max(x) FROM t) FROM t WHERE EXISTS (FROM u) AND x = ANY (SELECT 1)'],
    ['with CTEs', 'WITH a AS (SELECT 1 AS x), b AS MATERIALIZED (FROM a) SELECT * FROM b'],
    [
      'with a recursive CTE',
      'WITH RECURSIVE r AS (SELECT 1 UNION ALL (SELECT x + 1 FROM r)) SELECT * FROM r',
    ],
    ['of set operations', '(SELECT 1) UNION (SELECT 2) EXCEPT (SELECT 3) INTERSECT (SELECT 4)'],
    ['with casts', 'SELECT CAST(x AS DECIMAL(10, 2)), try_cast(y AS VARCHAR(3)), z::NUMERIC(4,1) FROM t'],
    ['in order', 'SELECT * FROM t ORDER BY (x), lower(y)'],
    ['of a generator', 'SELECT * FROM range(10) CROSS JOIN generate_series(1, 3) CROSS JOIN unnest([1, 2])'],
    ['with stars', 'SELECT * EXCLUDE (x) REPLACE (lower(y) AS y), COLUMNS(*) FROM t'],
    ['with lists, structs and maps', "SELECT [1, 2], {'a': 1}, MAP {'k': 1}, (1, 2), STRUCT_PACK FROM t"],
    [
      'with functions in any case, and with spaces before the parenthesis',
      'SELECT LOWER (x), Abs /* ! */ (y) FROM t',
    ],
    [
      'with the time, which is constant in a statement',
      'SELECT now(), current_timestamp, current_date FROM t',
    ],
    ['with a quoted name of a known function', 'SELECT "lower"(x), "LOWER"(y) FROM t'],
    ['with columns that have the names of functions', 'SELECT random, uuid, t.nextval FROM t'],
    ['with columns that have the names of clauses', 'SELECT "limit", "over", "sample" FROM t'],
    ['with a string at its beginning', "SELECT 'a' AS x"],
    ['with an interval', "SELECT x + INTERVAL (3) DAY, INTERVAL '1' HOUR FROM t"],
  ])('%s', (_, query) => {
    expect(mayBeView(query)).toBe(true);
  });

  it.each(['random()', 'LIMIT 1', 'row_number() OVER ()', 'USING SAMPLE 3', 'FROM dice'])(
    'with `%s` in a comment or a string',
    (word) => {
      expect(mayBeView(`SELECT 1 -- ${word}\nFROM t`)).toBe(true);
      expect(mayBeView(`SELECT 1 /* ${word} */ FROM t`)).toBe(true);
      expect(mayBeView(`SELECT '${word}' FROM t`)).toBe(true);
      expect(mayBeView(`SELECT E'\\'${word}' FROM t`)).toBe(true);
      expect(mayBeView(`SELECT $$${word}$$ FROM t`)).toBe(true);
      expect(mayBeView(`SELECT x AS "${word}" FROM t`)).toBe(true);
    },
  );
});

describe('a query may not be a view', () => {
  it.each([
    ['with chance', 'SELECT random() FROM t'],
    ['with a random function in another case', 'SELECT RANDOM ( ) FROM t'],
    ['with a random function after a comment', 'SELECT random/* */\n-- (\n() FROM t'],
    ['with a random function in quotes', 'SELECT "random"() FROM t'],
    ['with a random function of the catalog', 'SELECT system.main.random() FROM t'],
    ['with a random function of the catalog in quotes', 'SELECT "main"."random"() FROM t'],
    [
      'with a nested random function',
      'SELECT * FROM (SELECT x FROM t WHERE x IN (SELECT abs(random()) FROM u))',
    ],
    ['in a random order', 'SELECT * FROM t ORDER BY random()'],
    ['with new UUIDs', 'SELECT uuid() FROM t'],
    ['with new UUIDs by the long name', 'SELECT gen_random_uuid(), uuidv7() FROM t'],
    ['with the next number of a sequence', "SELECT nextval('s') FROM t"],
    ['with a function of the user', 'SELECT my_macro(x) FROM t'],
    ['with a function of the user in quotes', 'SELECT "my ""macro"""(x) FROM t'],
    ['with a table function of the user', 'FROM my_rows(3)'],
    ['with an unknown method', 'SELECT x.my_macro() FROM t'],
    ['of a limited number of rows', 'SELECT * FROM t LIMIT 3'],
    ['of a percentage of the rows', 'SELECT * FROM t ORDER BY x limit 10%'],
    ['of the rows after an offset', 'SELECT * FROM t OFFSET 3'],
    ['of the first rows', 'SELECT * FROM t FETCH FIRST 3 ROWS ONLY'],
    ['of a sample', 'SELECT * FROM t USING SAMPLE 3'],
    ['of a sample of a table', 'SELECT * FROM t TABLESAMPLE reservoir(20%)'],
    ['with a window', 'SELECT max(x) OVER (ORDER BY y) FROM t'],
    ['with a named window', 'SELECT max(x) OVER w FROM t WINDOW w AS (ORDER BY y)'],
    ['with DISTINCT ON', 'SELECT DISTINCT ON (x) x, y FROM t'],
    ['with DISTINCT and ON apart', 'SELECT DISTINCT /* */ ON (x) x, y FROM t'],
    ['with a list', 'SELECT list(x) FROM t'],
    ['with an array', 'SELECT array_agg(x) FROM t'],
    ['with an aggregated string', "SELECT string_agg(x, ',') FROM t"],
    ['with a first value', 'SELECT first(x) FROM t'],
    ['with a last value', 'SELECT "last"(x) FROM t'],
    ['with any value', 'SELECT any_value(x) FROM t'],
    ['with the argument of a maximum', 'SELECT arg_max(x, y) FROM t'],
    ['with a mode', 'SELECT mode(x) FROM t'],
    ['with the nearest row', 'SELECT * FROM a ASOF JOIN b ON a.x >= b.x'],
    ['with positions of rows', 'SELECT * FROM a POSITIONAL JOIN b'],
    ['of a file', "SELECT * FROM 'a.csv'"],
    ['of a file in a join', "SELECT * FROM t JOIN 'a.parquet' USING (x)"],
    ['of two files', "SELECT * FROM t, 'a.json'"],
    ['of a file by its reader function', "SELECT * FROM read_csv('a.csv')"],
    ['of a query in a string', "SELECT * FROM query('SELECT random()')"],
    ['of a view with a random function', 'SELECT * FROM dice'],
    ['of a view with a random function in another case', 'SELECT * FROM DICE JOIN t ON true'],
    ['of a view with a random function in quotes', 'SELECT * FROM main."My View"'],
    ['of a view with a random function after a comment', 'SELECT * FROM /* ! */ dice'],
    ['that continues after a comment', 'SELECT 1 -- a comment\n, random() FROM t'],
    ['that continues after a string', "SELECT '--', random() FROM t"],
    ['that continues after a string with a quote in it', "SELECT 'it''s', random() FROM t"],
    ['that continues after nested comments', 'SELECT 1 /* /* */ */ , random() FROM t'],
  ])('%s', (_, query) => {
    expect(mayBeView(query)).toBe(false);
  });
});
