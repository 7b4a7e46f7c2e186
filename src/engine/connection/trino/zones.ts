const MINUTE = 60_000;
const DAY = 86_400_000;
/** Zones change at whole quarters of an hour. */
const QUARTER = 15 * MINUTE;
/** Before this instant, zones have their local mean time. */
const FIRST_RULE = Date.UTC(1800, 0, 1);
/** Maximum remembered offsets of a zone. */
const MAX_KNOWN = 10_000;
const FIXED = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** The milliseconds by which a zone is ahead of UTC at a local time, in milliseconds since 1970. */
export type FindOffset = (local: number) => number;

const UTC = 'UTC';

/** Finds zones by name, and remembers them. */
export function createZoneFinder(): (name: string) => FindOffset | null {
  const zones = new Map<string, FindOffset | null>();
  return (name) => {
    let zone = zones.get(name);
    if (zone === undefined) {
      zone = findZone(name);
      if (zones.size < MAX_KNOWN) zones.set(name, zone);
    }
    return zone;
  };
}

/** The offsets of a zone as Trino names it, such as `+02:00` or `Europe/Berlin`; null for an unknown one. */
function findZone(name: string): FindOffset | null {
  if (name === UTC) return () => 0;
  const parts = FIXED.exec(name);
  if (parts !== null) {
    const [, sign, hours, minutes, seconds = '0'] = parts;
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000;
    return () => (sign === '-' ? -offset : offset);
  }
  return createZone(name);
}

function createZone(name: string): FindOffset | null {
  const offsetAt = createOffsets(name);
  if (offsetAt === null) return null;
  const offsetsByQuarter = new Map<number, number>();
  return (local) => {
    const quarter = Math.floor(local / QUARTER);
    let offset = offsetsByQuarter.get(quarter);
    if (offset === undefined) {
      offset = findLocalOffset(quarter * QUARTER, offsetAt);
      if (offsetsByQuarter.size >= MAX_KNOWN) offsetsByQuarter.clear();
      offsetsByQuarter.set(quarter, offset);
    }
    return offset;
  };
}

/**
 * The offset at a local time. When clocks are set back, a local time occurs twice: the first one is meant, as in Java.
 */
function findLocalOffset(local: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(local - DAY);
  return offsetAt(local - before) === before ? before : offsetAt(local + DAY);
}

/** The offset of a zone at an instant, in milliseconds; null for an unknown zone. */
function createOffsets(name: string): ((instant: number) => number) | null {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, ...fields, ...clock });
  } catch {
    return null;
  }
  return (instant) => {
    const seconds = Math.floor(Math.max(instant, FIRST_RULE) / 1000) * 1000;
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
  };
}
