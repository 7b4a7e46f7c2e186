/** The units of ticks, from the shortest. */
const UNITS = ['day', 'month', 'year'] as const;

/** A unit in which the times of a chart differ: those of months are all the first of one. */
export type TickUnit = (typeof UNITS)[number];

/** The distance of ticks: so many units. */
interface TickStep {
  readonly unit: TickUnit;
  readonly count: number;
}

const STEPS: readonly TickStep[] = [
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day' as const, count })),
  ...[1, 2, 3, 6].map((count) => ({ unit: 'month' as const, count })),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((count) => ({ unit: 'year' as const, count })),
];

/** The ticks of a time axis, and their texts. */
export interface TimeTicks {
  readonly ticks: readonly Date[];
  readonly print: (tick: Date) => string;
}

/** The longest unit in which times are whole, by UTC; null if they have a time of day. */
export function findUnit(times: readonly Date[]): TickUnit | null {
  if (times.some((time) => time.getTime() % DAY_MS !== 0)) return null;
  if (times.some((time) => time.getUTCDate() !== 1)) return 'day';
  return times.some((time) => time.getUTCMonth() !== 0) ? 'month' : 'year';
}

/** At most so many ticks of a unit, or of a longer one, from the first time to the last one. */
export function findTimeTicks(times: readonly Date[], unit: TickUnit, most: number): TimeTicks {
  const values = times.map((time) => time.getTime());
  const [first, last] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const steps = STEPS.filter((step) => UNITS.indexOf(step.unit) >= UNITS.indexOf(unit));
  const listed = steps.map((step) => ({ step, ticks: listTicks(first, last, step, most) }));
  const fitting = listed.find(({ ticks }) => ticks.length > 0 && ticks.length <= most) ?? listed.at(-1);
  return { ticks: fitting?.ticks ?? [], print: PRINT[fitting?.step.unit ?? unit] };
}

const DAY_MS = 86_400_000;
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const PRINT: Readonly<Record<TickUnit, (tick: Date) => string>> = {
  day: (tick) => tick.toISOString().slice(0, 10),
  month: (tick) => MONTH.format(tick),
  year: (tick) => String(tick.getUTCFullYear()),
};

/** The ticks of a step; one more than `most` if there are further ones. */
function listTicks(first: number, last: number, { unit, count }: TickStep, most: number): readonly Date[] {
  const ticks: Date[] = [];
  const start = toIndex(new Date(first), unit);
  for (let index = Math.floor(start / count) * count; ticks.length <= most; index += count) {
    const tick = toTime(index, unit);
    if (tick > last) break;
    if (tick >= first) ticks.push(new Date(tick));
  }
  return ticks;
}

/** The number of a time's day, month or year. */
function toIndex(time: Date, unit: TickUnit): number {
  if (unit === 'day') return Math.floor(time.getTime() / DAY_MS);
  return unit === 'year' ? time.getUTCFullYear() : time.getUTCFullYear() * 12 + time.getUTCMonth();
}

function toTime(index: number, unit: TickUnit): number {
  if (unit === 'day') return index * DAY_MS;
  const year = unit === 'year' ? index : Math.floor(index / 12);
  // `Date.UTC` reads the years 0 to 99 as those of the last century.
  return new Date(0).setUTCFullYear(year, unit === 'year' ? 0 : index - year * 12, 1);
}
