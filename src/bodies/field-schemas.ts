import { Type } from 'typebox';

/** A time in bodies (docs/reference/http-api.md). */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] });

/** A time with nanoseconds. */
export const PreciseTime = Type.String({
  format: 'date-time',
  examples: ['2026-03-01T12:00:00.000000000Z'],
});

/** A time, or null. */
export const MaybeTimestamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' });

/** A string, or null. */
export const MaybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** A positive integer, or null. */
export const MaybeCount = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 });
