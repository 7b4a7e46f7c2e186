import { describe, expect, it } from 'vitest';
import { createUuidV7 } from '../../../src/store/values/uuid.ts';

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Generates one id for each time of the clock, in milliseconds. */
function makeAt(...milliseconds: number[]): string[] {
  let index = 0;
  const newId = createUuidV7(() => new Date(milliseconds[index++]!));
  return milliseconds.map(() => newId());
}

describe('UUIDv7', () => {
  it('contains the version, the variant and the time', () => {
    const time = Date.UTC(2026, 2, 1, 12, 30, 15, 678);
    const [id] = makeAt(time);
    expect(id).toMatch(SHAPE);
    expect(Number.parseInt(id!.replaceAll('-', '').slice(0, 12), 16)).toBe(time);
  });

  it('increases strictly within a millisecond, past the counter, and when the clock goes back', () => {
    const ids = makeAt(...Array(20_000).fill(1_000_000), 999_000, 999_001, 1_000_000, 2_000_000);
    expect(ids.filter((id) => !SHAPE.test(id))).toEqual([]);
    expect(ids.filter((id, index) => index > 0 && id <= ids[index - 1]!)).toEqual([]);
  });

  it('differs between generators at the same time', () => {
    expect(makeAt(1)[0]).not.toBe(makeAt(1)[0]);
  });
});
