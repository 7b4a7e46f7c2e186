import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { share } from '../../support/rotation.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const STATEMENTS = [
  "SELECT region, SUM(revenue) AS r FROM sales.orders o WHERE o.status IN ('paid', 'sent') GROUP BY 1 HAVING SUM(revenue) > 10 ORDER BY r DESC NULLS LAST LIMIT 5 OFFSET 2",
  'WITH w AS (SELECT "Região", COUNT(DISTINCT id) FILTER (WHERE x IS NOT NULL) n FROM "orders.ship_to" GROUP BY ALL) SELECT * FROM w JOIN (VALUES (1, \'é\')) v (a, b) ON w.n = v.a',
  "SELECT CASE WHEN a LIKE 'x%' ESCAPE '!' THEN 1 ELSE -2.5e3 END, CAST(b AS numeric(10, 2)), EXTRACT(year FROM c), $$d$$ FROM t",
  'SELECT SUM(SUM(m)) OVER (PARTITION BY a ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t UNION ALL SELECT 1 EXCEPT (SELECT 2)',
  'EXPLAIN SELECT a FROM t WHERE a IN (SELECT b FROM u) AND EXISTS (SELECT 1) AND NOT b BETWEEN 1 AND 2; SHOW FIELDS FROM a."b"; SHOW ENTITIES',
  'INSERT INTO a SELECT 1; DROP TABLE b -- c\n; /* /* d */ */ VALUES (1)',
];
const PIECES = [
  ...[
    '(',
    ')',
    ',',
    ';',
    '.',
    '*',
    "'",
    '"',
    '$$',
    '--',
    '/*',
    '*/',
    '::',
    '[',
    ']',
    '`',
    '#',
    '\\',
    '\0',
    '\ud800',
    '😀',
    'é',
    '\u00a0',
  ],
  ...[
    'SELECT',
    'FROM',
    'GROUP BY ALL',
    'UNION',
    'NOT',
    'CASE',
    'END',
    'OVER',
    'LATERAL',
    'NULL',
    'DISTINCT ON',
    "E'",
    'U&"',
    '"#1"',
    '"#all"',
    '$1',
    '1e',
    '0x',
    'LIMIT 1, 2',
  ],
];

/** A statement, cut and recombined with other pieces. */
const mutated = fc
  .tuple(
    fc.constantFrom(...STATEMENTS),
    fc.array(
      fc.record({
        at: fc.nat(400),
        removed: fc.nat(12),
        piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })),
        times: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((whole, { at, removed, piece, times }) => {
      const place = at % (whole.length + 1);
      return `${whole.slice(0, place)}${piece.repeat(times)}${whole.slice(place + removed)}`;
    }, text),
  );

it('answers any text with a tree or with an error that has a location', () => {
  let accepted = 0;
  const check = (text: string) => {
    try {
      const statements = parse(text);
      accepted += 1;
      for (const { start, end } of statements) expect(start < end && end <= text.length).toBe(true);
    } catch (error) {
      if (!(error instanceof SemanticSqlError)) throw error;
      const { start, end } = error.span;
      expect([text, start >= 0 && start <= end && end <= text.length]).toEqual([text, true]);
    }
  };
  fc.assert(fc.property(mutated, check), { numRuns: share(5_000) });
  expect(accepted).toBeGreaterThan(20);
});

it('reads adjacent names as two names', () => {
  expect(JSON.stringify(parse('SELECT é"#1" FROM t'))).toContain('"#1"');
  expect(() => parse('SELECT a FROM t GROUP BY \u0080""')).toThrow(SemanticSqlError);
});
