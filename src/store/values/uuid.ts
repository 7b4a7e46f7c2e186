import { randomBytes } from 'node:crypto';
import { elementAt } from '../../invariants/must.ts';
import type { Clock } from './clock.ts';

/** Returns a new id at each call. */
export type NewId = () => string;

const COUNTER_LIMIT = 0x1000;
/**
 * The random bytes of one id, and the number of ids for which bytes are generated together, because each call is
 * slow.
 */
const RANDOM_BYTES = 10;
const FETCHED = 100;

/**
 * A generator of UUIDv7 (RFC 9562, 5.7 with the counter of 6.2, method 1): 48 bits of milliseconds, a 12-bit counter,
 * 62 random bits. The ids of one generator increase strictly, also within a millisecond, when the counter overflows,
 * and when the clock goes back.
 */
export function createUuidV7(clock: Clock): NewId {
  let millisecond = -1;
  let counter = 0;
  let fetched: Buffer = Buffer.alloc(0);
  return () => {
    if (fetched.length === 0) fetched = randomBytes(RANDOM_BYTES * FETCHED);
    const random = fetched.subarray(0, RANDOM_BYTES);
    fetched = fetched.subarray(RANDOM_BYTES);
    const now = clock().getTime();
    if (now > millisecond) {
      millisecond = now;
      counter = random.readUInt16BE(8) & 0x7ff;
    } else if (++counter === COUNTER_LIMIT) {
      millisecond++;
      counter = 0;
    }
    return print(millisecond, counter, random);
  };
}

function print(millisecond: number, counter: number, random: Buffer): string {
  const time = millisecond.toString(16).padStart(12, '0');
  const high = (0x7000 | counter).toString(16);
  random[0] = (elementAt(random, 0) & 0x3f) | 0x80;
  const low = random.toString('hex', 0, 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${low.slice(0, 4)}-${low.slice(4)}`;
}
