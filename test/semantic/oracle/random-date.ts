import type { Grain } from '../../../src/semantic/model/model.ts';
import { cutDay } from './cut-day.ts';
import { addMonths } from './dates.ts';
import type { Fraction } from './fraction.ts';
import { createStrict, type Scalar, type Scalars } from './scalar.ts';
import { toDay } from './value.ts';

const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
const DAY_US = 86_400_000_000n;

export function createDate(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const day = () => own.create('DATE', depth);
  return random.pick<() => Scalar>([
    () => {
      const grain = random.pick(GRAINS);
      return createStrict('DATE', `DATE_TRUNC('${grain}', $1)`, [day()], (value) =>
        cutDay(value as bigint, grain),
      );
    },
    // The last day of the world has no next day.
    () =>
      createStrict(
        'DATE',
        '($1 - $2)',
        [day(), own.createWhole(0, 40)],
        (value, count) => (value as bigint) - (count as Fraction).n,
      ),
    () => createStrict('DATE', "($1 - INTERVAL '3 weeks')", [day()], (value) => (value as bigint) - 21n),
    () => {
      const months = 1 + random.int(14);
      return createStrict('DATE', `($1 - INTERVAL '${months} months')`, [day()], (value) =>
        addMonths(value as bigint, -months),
      );
    },
    () =>
      createStrict(
        'DATE',
        "(DATE_TRUNC('year', $1) + INTERVAL '30 days')",
        [day()],
        (value) => cutDay(value as bigint, 'year') + 30n,
      ),
    () =>
      createStrict('DATE', "(DATE_TRUNC('year', $1) + INTERVAL '1 month')", [day()], (value) =>
        addMonths(cutDay(value as bigint, 'year'), 1),
      ),
    () =>
      createStrict('DATE', 'CAST($1 AS date)', [own.create('DATETIME', depth)], (value) =>
        toDay(value as bigint),
      ),
  ])();
}

export function createMoment(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const moment = () => own.create('DATETIME', depth);
  const minus = (interval: string, run: (value: bigint) => bigint) => () =>
    createStrict('DATETIME', `($1 - INTERVAL '${interval}')`, [moment()], (value) => run(value as bigint));
  return random.pick<() => Scalar>([
    () => {
      const grain = random.pick(GRAINS);
      return createStrict(
        'DATETIME',
        `CAST(DATE_TRUNC('${grain}', $1) AS timestamp)`,
        [moment()],
        (value) => cutDay(toDay(value as bigint), grain) * DAY_US,
      );
    },
    () => {
      const [unit, size] = random.pick([
        ['hour', 3_600_000_000n],
        ['minute', 60_000_000n],
        ['second', 1_000_000n],
      ] as const);
      return createStrict('DATETIME', `DATE_TRUNC('${unit}', $1)`, [moment()], (value) => {
        return (value as bigint) - ((value as bigint) % size);
      });
    },
    minus('90 seconds', (value) => value - 90_000_000n),
    minus('30 days', (value) => value - 30n * DAY_US),
    minus('1 month', (value) => addMonths(toDay(value), -1) * DAY_US + (value - toDay(value) * DAY_US)),
    () =>
      createStrict(
        'DATETIME',
        'CAST($1 AS timestamp)',
        [own.create('DATE', depth)],
        (value) => (value as bigint) * DAY_US,
      ),
  ])();
}
