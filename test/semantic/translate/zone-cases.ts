import { toLocal } from '../../../src/semantic/model/local-time.ts';

/** Time zones with changes of all kinds. */
export const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  // Half an hour of daylight saving time.
  'Australia/Lord_Howe',
  // Changes at one minute past midnight, so that the day before comes back.
  'America/St_Johns',
  // Changes at midnight: a gap, and a day before that comes back.
  'America/Sao_Paulo',
  // Without the 30th of December 2011.
  'Pacific/Apia',
  // Offsets of seconds, until 1937 and 1972.
  'Europe/Amsterdam',
  'Africa/Monrovia',
  'Pacific/Kiritimati',
  'UTC',
] as const;

/** An expression over a DATETIME `ts` and a DATE `d`, and how PostgreSQL writes it if that differs. */
type ZoneCase = readonly [ours: string, native?: string];

/**
 * A DATE that is compared with a DATETIME is its first midnight; PostgreSQL takes the second one where clocks go back
 * over midnight. That is the only difference.
 */
export const FIRST_MOMENT = `CREATE FUNCTION pg_temp.first_moment(day date) RETURNS timestamptz LANGUAGE sql AS $$
  SELECT COALESCE(
    (SELECT MIN(m) FROM (VALUES (day::timestamptz), (day::timestamptz - interval '1 hour'), (day::timestamptz - interval '2 hours')) AS v(m) WHERE m::timestamp = day),
    day::timestamptz)
$$`;

const EXPRESSIONS: readonly ZoneCase[] = [
  ["DATE_TRUNC('day', ts)", "date_trunc('day', ts)::date"],
  ["DATE_TRUNC('week', ts)", "date_trunc('week', ts)::date"],
  ["DATE_TRUNC('month', ts)", "date_trunc('month', ts)::date"],
  ["DATE_TRUNC('quarter', ts)", "date_trunc('quarter', ts)::date"],
  ["DATE_TRUNC('year', ts)", "date_trunc('year', ts)::date"],
  ["DATE_TRUNC('hour', ts)", "date_trunc('hour', ts::timestamp)"],
  ["DATE_TRUNC('minute', ts)", "date_trunc('minute', ts::timestamp)"],
  ["DATE_TRUNC('second', ts)", "date_trunc('second', ts::timestamp)"],
  ['CAST(ts AS DATE)'],
  ['CAST(ts AS TIMESTAMP)'],
  ['EXTRACT(YEAR FROM ts)', 'extract(year from ts)::bigint'],
  ['EXTRACT(DOY FROM ts)', 'extract(doy from ts)::bigint'],
  ['EXTRACT(DOW FROM ts)', 'extract(dow from ts)::bigint'],
  ['EXTRACT(WEEK FROM ts)', 'extract(week from ts)::bigint'],
  ['EXTRACT(HOUR FROM ts)', 'extract(hour from ts)::bigint'],
  ['EXTRACT(MINUTE FROM ts)', 'extract(minute from ts)::bigint'],
  ["ts + INTERVAL '1 day'"],
  ["ts - INTERVAL '1 month'"],
  ["ts + INTERVAL '1 year'"],
  ["ts + INTERVAL '3 hours'"],
  ["ts - INTERVAL '90 minutes'"],
  ["CAST(DATE_TRUNC('month', ts) AS DATE)"],
  ["EXTRACT(MONTH FROM DATE_TRUNC('month', ts))", "extract(month from date_trunc('month', ts))::bigint"],
  [
    "DATE_TRUNC('month', ts) + INTERVAL '1 month'",
    "(date_trunc('month', ts::timestamp) + interval '1 month')::date",
  ],
  ["DATE_TRUNC('day', ts) + INTERVAL '6 hours'", "date_trunc('day', ts::timestamp) + interval '6 hours'"],
  ["DATE_TRUNC('year', DATE_TRUNC('month', ts))", "date_trunc('year', ts)::date"],
  ["CAST(ts - INTERVAL '1 day' AS DATE)"],
  ["DATE_TRUNC('week', ts + INTERVAL '1 month')", "date_trunc('week', ts + interval '1 month')::date"],
  [
    "EXTRACT(HOUR FROM CAST(ts AS TIMESTAMP) + INTERVAL '12 hours')",
    "extract(hour from ts::timestamp + interval '12 hours')::bigint",
  ],
  ['CAST(CAST(ts AS TIMESTAMP) AS TIMESTAMPTZ)'],
  ["CAST(DATE_TRUNC('day', ts) AS TIMESTAMPTZ)", 'pg_temp.first_moment(ts::date)'],
  ["ts >= DATE_TRUNC('day', ts)", 'ts >= pg_temp.first_moment(ts::date)'],
  ["ts < DATE_TRUNC('day', ts) + INTERVAL '1 day'", 'ts < pg_temp.first_moment(ts::date + 1)'],
  ['ts = CAST(ts AS TIMESTAMP)'],
  ['ts > d', 'ts > pg_temp.first_moment(d)'],
  ['GREATEST(ts, d)', 'greatest(ts, pg_temp.first_moment(d))'],
  ['COALESCE(NULLIF(ts, d), d)', 'coalesce(nullif(ts, pg_temp.first_moment(d)), pg_temp.first_moment(d))'],
  ["ts IN (d, DATE_TRUNC('day', ts))", 'ts in (pg_temp.first_moment(d), pg_temp.first_moment(ts::date))'],
  [
    "DATE_TRUNC('month', ts) = DATE_TRUNC('month', d)",
    "date_trunc('month', ts)::date = date_trunc('month', d::timestamp)::date",
  ],
  ["ts AT TIME ZONE 'Asia/Tokyo'"],
  ["CAST(ts AS TIMESTAMP) AT TIME ZONE 'Asia/Tokyo'"],
  [
    "DATE_TRUNC('day', ts AT TIME ZONE 'Asia/Tokyo')",
    "date_trunc('day', ts at time zone 'Asia/Tokyo')::date",
  ],
];

const DAY = 86_400_000;
const STEP = 3 * DAY;
const [FROM, TO] = [Date.UTC(1900, 0, 10), Date.UTC(2037, 11, 1)];

/** The moments at which a zone changes its clocks until 2037; of two changes within a step, it finds none. */
export function findChanges(zone: string, from = FROM, step = STEP): readonly number[] {
  const offset = (ms: number) => toLocal(ms, zone) - ms;
  const changes: number[] = [];
  let known = offset(from);
  for (let at = from; at < TO; at += step) {
    const next = offset(at + step);
    if (next === known) continue;
    let [before, after] = [at, at + step];
    while (after - before > 1000) {
      const between = Math.floor((before + after) / 2000) * 1000;
      if (offset(between) === known) before = between;
      else after = between;
    }
    changes.push(after);
    known = next;
  }
  return changes;
}

const HOUR = 3_600_000;
/** Distances from a change. */
const BESIDE = [0, -1, 1, -HOUR, HOUR, -HOUR / 2, HOUR / 2, -2 * HOUR, 2 * HOUR, -DAY, DAY, 25 * HOUR];

/** `count` moments at and next to the changes of a zone, in milliseconds, spread over all changes. */
export function listMoments(changes: readonly number[], count: number): readonly number[] {
  const moments = BESIDE.flatMap((distance) => changes.map((change) => change + distance));
  if (moments.length <= count) return moments;
  return Array.from({ length: count }, (_, at) => moments[Math.floor((at * moments.length) / count)]!);
}

/** Whether programs agree on the local time: some take that of Brussels for Amsterdam before 1948. */
export function isCertain(zone: string, ms: number): boolean {
  return zone !== 'Europe/Amsterdam' || ms > Date.UTC(1948, 0, 1);
}

/** Comparisons with literals in the local time of a change: in its gap, or in its repeated hour. */
function listComparisons(zone: string, change: number): readonly ZoneCase[] {
  const local = print(toLocal(change - 1000, zone) + HOUR / 2).slice(0, 19);
  const day = local.slice(0, 10);
  return [
    [`ts >= TIMESTAMP '${local}'`],
    [`ts < '${local}'`],
    [`CAST(ts AS TIMESTAMP) BETWEEN TIMESTAMP '${local}' AND '${local}'`],
    [
      `ts - INTERVAL '1 second' > DATE '${day}'`,
      `ts - interval '1 second' > pg_temp.first_moment(date '${day}')`,
    ],
    [`ts <= '${day}'`, `ts <= pg_temp.first_moment(date '${day}')`],
    [`DATE_TRUNC('day', ts) = DATE '${day}'`, `date_trunc('day', ts)::date = date '${day}'`],
    [`ts >= TIMESTAMP '${local}' + INTERVAL '1 day'`],
    [
      `ts >= DATE_TRUNC('month', TIMESTAMP '${local}')`,
      `ts >= pg_temp.first_moment(date '${day.slice(0, 8)}01')`,
    ],
  ];
}

/** Prints a point in time in UTC. */
export function print(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

/** The moments and the expressions of a zone; `count` moments, or fewer for a zone with few changes. */
export function createZoneCases(zone: string, count: number) {
  const known = findChanges(zone);
  const changes = known.length === 0 ? [Date.UTC(2024, 1, 1)] : known;
  const certain = changes.filter((change) => isCertain(zone, change));
  const compared = [certain[0]!, certain[Math.floor(certain.length / 2)]!, certain.at(-1)!];
  return {
    moments: listMoments(changes, count),
    expressions: [...EXPRESSIONS, ...compared.flatMap((change) => listComparisons(zone, change))],
  };
}
