import { Text } from '@mantine/core';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const MINUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Units of time, in seconds, the largest first. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

interface TimeTextProps {
  /** ISO 8601. */
  readonly value: string;
  /** Whether to show the time elapsed instead of the date. */
  readonly isRelative?: boolean;
  /** Whether to show the time of day with the date. */
  readonly withTime?: boolean;
}

/** A time in the reader's language and time zone, with the full time as a tooltip. */
export function TimeText({ value, isRelative = false, withTime = false }: TimeTextProps) {
  const date = new Date(value);
  return (
    <Text component="time" dateTime={value} title={MOMENT.format(date)} size="sm">
      {isRelative ? printDistance(date, new Date()) : (withTime ? MINUTE : DAY).format(date)}
    </Text>
  );
}

function printDistance(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit === undefined ? 'just now' : AGO.format(Math.trunc(seconds / unit[1]), unit[0]);
}
