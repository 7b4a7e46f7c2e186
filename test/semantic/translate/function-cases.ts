/** An expression over the columns of the rows, and how PostgreSQL writes it if that differs. */
export type FunctionCase = readonly [ours: string, native?: string];

const UNITS = ['day', 'week', 'month', 'quarter', 'year', 'hour', 'minute', 'second'] as const;

/** The number of boundaries between two local times: of months as numbers, and of shorter units as seconds. */
const BOUNDARIES: Readonly<Record<(typeof UNITS)[number], (time: string) => string>> = {
  day: (time) => `(${time})::date - date '2000-01-01'`,
  week: (time) => `(date_trunc('week', (${time})::timestamp)::date - date '2000-01-03') / 7`,
  month: (time) => `extract(year from (${time})) * 12 + extract(month from (${time}))`,
  quarter: (time) => `extract(year from (${time})) * 4 + extract(quarter from (${time}))`,
  year: (time) => `extract(year from (${time}))`,
  hour: (time) => `extract(epoch from date_trunc('hour', (${time})::timestamp)) / 3600`,
  minute: (time) => `extract(epoch from date_trunc('minute', (${time})::timestamp)) / 60`,
  second: (time) => `extract(epoch from date_trunc('second', (${time})::timestamp))`,
};

const difference = (unit: (typeof UNITS)[number], from: string, to: string) =>
  `((${BOUNDARIES[unit](to)}) - (${BOUNDARIES[unit](from)}))::bigint`;

/**
 * Columns: the DATETIMEs `ts` and `u`, the DATE `d`, the INTEGER `n`, the TEXTs `t` of a day and `w` of a time, and two
 * TEXTs `s` and `p` of `TEXT_PAIRS`.
 */
export const DATE_CASES: readonly FunctionCase[] = [
  ...UNITS.map((unit): FunctionCase => [`DATEDIFF(${unit}, ts, u)`, difference(unit, 'ts', 'u')]),
  ...UNITS.map((unit): FunctionCase => [`DATEDIFF('${unit}', d, ts)`, difference(unit, 'd', 'ts')]),
  ["DATEDIFF(mm, '2026-01-31', u)", difference('month', "date '2026-01-31'", 'u')],
  [
    "DATEDIFF(hour, TIMESTAMP '2026-01-31 10:30', u)",
    difference('hour', "timestamp '2026-01-31 10:30'", 'u'),
  ],
  ['DATEADD(day, n, d)', "(d + n * interval '1 day')::date"],
  ['DATEADD(month, n, d)', "(d + n * interval '1 month')::date"],
  ["DATEADD('quarter', n, d)", "(d + n * interval '3 months')::date"],
  ['DATEADD(yy, n, d)', "(d + n * interval '1 year')::date"],
  ['DATEADD(week, -1, d)', "(d - interval '7 days')::date"],
  ['DATEADD(hour, n, d)', "d + n * interval '1 hour'"],
  ['DATEADD(day, n, ts)', "ts + n * interval '1 day'"],
  ['DATEADD(month, n, ts)', "ts + n * interval '1 month'"],
  ['DATEADD(minute, n, ts)', "ts + n * interval '1 minute'"],
  ["DATE_ADD(ts, INTERVAL '1 day')", "ts + interval '1 day'"],
  ["DATE_ADD(d, n * INTERVAL '1 week')", "(d + n * interval '1 week')::date"],
  ["ts + n * INTERVAL '1 day'"],
  ["ts - INTERVAL '2 hours' * n"],
  ["d + (n + 1) * INTERVAL '1 month'", "(d + (n + 1) * interval '1 month')::date"],
  [
    "DATE_TRUNC('month', ts) + n * INTERVAL '1' DAY",
    "(date_trunc('month', ts::timestamp) + n * interval '1 day')::date",
  ],
  ["INTERVAL '-30 days' + d", "(interval '-30 days' + d)::date"],
  ['EXTRACT(QTR FROM ts)', 'extract(quarter from ts)::bigint'],
  ["DATE_PART('dd', d)", 'extract(day from d)::bigint'],
  ['EXTRACT(EPOCH FROM ts)', 'extract(epoch from ts)::float8'],
  ['EXTRACT(EPOCH FROM d)', 'extract(epoch from d)::float8'],
  ['EXTRACT(EPOCH FROM CAST(ts AS TIMESTAMP))', 'extract(epoch from ts::timestamp)::float8'],
  [
    "EXTRACT(EPOCH FROM DATE_TRUNC('hour', ts))",
    "extract(epoch from date_trunc('hour', ts::timestamp))::float8",
  ],
];

export const TEXT_CASES: readonly FunctionCase[] = [
  ["n || ' days'"],
  ["'on ' || d"],
  ["'at ' || CAST(ts AS TIMESTAMP)"],
  [
    "CONCAT(n, '-', d, ' ', DATE_TRUNC('hour', ts))",
    "concat(n, '-', d, ' ', date_trunc('hour', ts::timestamp))",
  ],
  ['CONCAT(n, n)'],
  ['CAST(n AS TEXT)'],
  ['CAST(d AS TEXT)'],
  ['CAST(CAST(ts AS TIMESTAMP) AS TEXT)'],
  ['CAST(CAST(u AS TIMESTAMP) AS TEXT)'],
  ["CAST(DATE_TRUNC('minute', u) AS TEXT)", "date_trunc('minute', u::timestamp)::text"],
  ['CAST(t AS DATE)'],
  ["TO_DATE(t, 'YYYY-MM-DD')", 't::date'],
  ['DATE(LEFT(w, 10))', 'left(w, 10)::date'],
  ['CAST(w AS TIMESTAMP)'],
  ["TO_TIMESTAMP(w, 'YYYY-MM-DD HH24:MI:SS.US')"],
  ["TO_TIMESTAMP(LEFT(w, 10), 'YYYY-MM-' || 'DD')"],
  ['CAST(CAST(d AS TEXT) AS DATE) = d'],
  ["w LIKE CONCAT('%', 2, '3:59:', 59, '%')"],
  ["w ILIKE '%' || LOWER('59.5')"],
];

/** Texts and their parts: of the same letters in another case, with accents and without, outside the BMP, with wildcards and blanks. */
export const TEXT_PAIRS: readonly (readonly [s: string | null, p: string | null])[] = [
  ['paid', 'pa'],
  ['paid', 'PA'],
  ['paid', 'id'],
  ['paid', 'iD'],
  ['paid', 'ai'],
  ['papa', 'pa'],
  ['é😀x', 'é'],
  ['é😀x', 'e'],
  ['x😀é', 'é'],
  ['x😀e', 'é'],
  ['x😀', '😀'],
  ['e\u0301b', '\u0301b'],
  ['50%', '%'],
  ['50', '%'],
  ['50%', '5_'],
  ['5_%', '5_'],
  ['a_b', '_b'],
  ['axb', '_b'],
  ['a\\b', '\\b'],
  ['a ', ' '],
  ['a', 'a '],
  ['a ', 'a'],
  ['', ' '],
  ['', ''],
  ['a', ''],
  ['', 'a'],
  ['abc', 'abcd'],
  ['a', null],
  [null, 'a'],
];

const endsWith = (part: string) => `right(s, length(${part})) = ${part}`;

export const PART_CASES: readonly FunctionCase[] = [
  ['REVERSE(s)'],
  ['REVERSE(s || p)'],
  ['SUBSTRING(s, 1)'],
  ['SUBSTR(s, 2)'],
  ['SUBSTRING(s FROM 3)'],
  ["SUBSTRING(s || '.', 99)"],
  ['STARTS_WITH(s, p)'],
  ["STARTS_WITH(s, 'é')"],
  ["STARTSWITH(s, 'p' || 'a')", "starts_with(s, 'pa')"],
  ["STARTS_WITH(s, 'PA')"],
  ["STARTS_WITH(s, '5_')"],
  ["STARTS_WITH(s, '')"],
  ['STARTS_WITH(s, NULL)'],
  ['ENDS_WITH(s, p)', endsWith('p')],
  ["ENDS_WITH(s, '😀')", endsWith("'😀'")],
  ["EndsWith(s, 'D')", endsWith("'D'")],
  ["ENDS_WITH(s, '%')", endsWith("'%'")],
  ["ENDS_WITH(s, ' ')", endsWith("' '")],
  ["ENDS_WITH(s, REVERSE('b\\'))", endsWith("'\\b'")],
  ["NOT ENDS_WITH(s, SUBSTRING('abc', 2, 1))", `not (${endsWith("'b'")})`],
  ["CASE WHEN ENDS_WITH(s, '') THEN 1 ELSE 0 END", "case when right(s, length('')) = '' then 1 else 0 end"],
];
