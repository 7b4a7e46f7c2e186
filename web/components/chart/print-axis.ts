import { printCount } from '../catalog/view/print-size.ts';

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 });
const SMALL = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const TINY = new Intl.NumberFormat(undefined, { notation: 'scientific', maximumFractionDigits: 1 });
const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** The colour of a series, by its place. */
export function toColour(index: number): string {
  return `var(--quern-data-${index + 1})`;
}

export function printClock(time: Date | number): string {
  return CLOCK.format(time);
}

/** A short number for an axis, such as `1.2M` or `0.05`. */
export function printNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 10_000) return COMPACT.format(value);
  if (size >= 1 || size === 0) return printCount(value);
  return (size >= 0.001 ? SMALL : TINY).format(value);
}

/** A part of 1 in percent. */
export function printPercent(value: number): string {
  return SHARE.format(value);
}

/** As much of a text as fits, with an ellipsis. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, Math.max(1, length - 1))}…` : text;
}
