import fc from 'fast-check';

/** Prints a call of another block, or its query instead, with an argument. */
type Call = (block: number, argument: string) => string;

/** A query with the columns `a` and `b`, small integers; `n` is the text of the block's argument. */
type Query = (call: Call, n: string) => string;

interface Block {
  readonly query: Query;
  /** Embeds the query into a body. */
  readonly shape: 'query' | 'ordered' | 'numbered' | 'steps' | 'macro';
}

/** Blocks that can call the blocks before them, and the argument for the last one. */
export interface BlockGraph {
  readonly blocks: readonly Block[];
  readonly argument: number;
}

const small = fc.integer({ min: 0, max: 6 });
const argument = fc.constantFrom('n', '0', '1', '3');
/** An argument of a call as the calling block's own `n` or a number. */
const toArgument = (text: string, n: string) => (text === 'n' ? n : text);

const leaves: readonly fc.Arbitrary<Query>[] = [
  fc.tuple(small, small).map(
    ([rows, divisor]): Query =>
      (_, n) =>
        `SELECT range::BIGINT AS a, (range % ${divisor + 1} + ${n})::BIGINT AS b FROM range(${rows})`,
  ),
  fc.array(fc.tuple(small, small), { minLength: 1, maxLength: 5 }).map(
    (rows): Query =>
      (_, n) =>
        `SELECT a::BIGINT AS a, (b + ${n})::BIGINT AS b FROM (VALUES ${rows.map(([a, b]) => `(${a}, ${b})`).join(', ')}) AS t(a, b)`,
  ),
];

/** Queries that read one or two of `count` other blocks. */
function inner(count: number): readonly fc.Arbitrary<Query>[] {
  const source = fc.tuple(fc.nat({ max: count - 1 }), argument);
  const one = fc.tuple(source, small);
  const two = fc.tuple(source, source);
  const unary = (print: (from: string, n: string, k: number) => string) =>
    one.map(
      ([[block, arg], k]): Query =>
        (call, n) =>
          print(call(block, toArgument(arg, n)), n, k),
    );
  const binary = (print: (left: string, right: string) => string) =>
    two.map(
      ([[left, leftArg], [right, rightArg]]): Query =>
        (call, n) =>
          print(call(left, toArgument(leftArg, n)), call(right, toArgument(rightArg, n))),
    );
  return [
    unary((from, n, k) => `SELECT b AS a, a + ${n} AS b FROM ${from} AS x WHERE a >= ${k} OR b IS NULL`),
    unary((from) => `SELECT count(*) AS a, coalesce(max(b), 0) AS b FROM ${from} AS x`),
    unary(
      (from, n, k) =>
        `SELECT sum(a)::BIGINT % 7 AS a, b % ${k + 1} AS b FROM ${from} AS x GROUP BY b % ${k + 1} HAVING count(*) > ${n}`,
    ),
    unary(
      (from, _, k) =>
        `WITH c AS (SELECT * FROM ${from} AS x) SELECT a, min(b) AS b FROM c WHERE b <> ${k} GROUP BY a`,
    ),
    unary(
      (from) =>
        `SELECT CASE WHEN a > (SELECT max(b) FROM ${from} AS y) THEN NULL ELSE a END AS a, b FROM ${from} AS x WHERE a IS NOT NULL`,
    ),
    binary(
      (left, right) =>
        `SELECT DISTINCT (x.a + y.a) % 7 AS a, y.b % 7 AS b FROM ${left} AS x JOIN ${right} AS y ON x.a = y.b`,
    ),
    binary(
      (left, right) =>
        `SELECT DISTINCT x.a, coalesce(y.b, -1) AS b FROM ${left} AS x LEFT JOIN ${right} AS y USING (a)`,
    ),
    binary((left, right) => `SELECT a, b FROM ${left} AS x UNION SELECT b, a FROM ${right} AS y`),
    binary((left, right) => `SELECT a, b FROM ${left} AS x EXCEPT SELECT a, b FROM ${right} AS y`),
    binary(
      (left, right) =>
        `SELECT a, b FROM ${left} AS x WHERE a IN (SELECT b FROM ${right} AS y) AND EXISTS (SELECT 1 FROM ${right} AS z)`,
    ),
  ];
}

const shape = fc.constantFrom<Block['shape']>('query', 'query', 'ordered', 'numbered', 'steps', 'macro');

/** Graphs of three to six blocks. */
export const scripts: fc.Arbitrary<BlockGraph> = fc
  .tuple(fc.integer({ min: 3, max: 6 }), small)
  .chain(([size, argument]) =>
    fc
      .tuple(
        ...Array.from({ length: size }, (_, i) => {
          const query =
            i === 0
              ? fc.oneof(...leaves)
              : fc.oneof(
                  { arbitrary: fc.oneof(...inner(i)), weight: 4 },
                  { arbitrary: fc.oneof(...leaves), weight: 1 },
                );
          return fc.record({ query, shape });
        }),
      )
      .map((blocks) => ({ blocks, argument })),
  );

/** A script that selects the rows of the last block, in order. */
export function printScript({ blocks, argument }: BlockGraph): string {
  const bodies = blocks.map((block, i) => printBlock(block, i));
  return `${bodies.toReversed().join('')}SELECT a, b FROM {{ B${blocks.length - 1}(${argument}) }} ORDER BY ALL`;
}

function printBlock({ query, shape }: Block, at: number): string {
  const call: Call = (block, argument) => `{{ B${block}(${argument.replace('{{ n }}', 'n')}) }}`;
  const sql = query(call, '{{ n }}');
  const header = `#+src sql B${at}(n=0) #+begin`;
  switch (shape) {
    case 'query':
      return `${header} ${sql} #+end\n`;
    case 'ordered':
      return `${header} SELECT * FROM (${sql}) ORDER BY ALL LIMIT 1000000; #+end\n`;
    case 'numbered':
      return `${header} SELECT a, b FROM (SELECT *, row_number() OVER () AS row, NULL AS none FROM (${sql})) #+end\n`;
    case 'steps':
      return `${header} CREATE TEMP TABLE work${at} AS ${sql}; SELECT a, b FROM work${at} #+end\n`;
    default:
      return `#+macro M${at}(n) #+begin ${sql} #+end\n${header} {{ M${at}(n) }} #+end\n`;
  }
}

/** The equivalent single query. */
export function printInlined({ blocks, argument }: BlockGraph): string {
  const call: Call = (block, own) => `(${blocks[block]!.query(call, own)})`;
  return `SELECT a, b FROM ${call(blocks.length - 1, String(argument))} AS x ORDER BY ALL`;
}
