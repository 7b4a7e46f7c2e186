import type { Readable } from 'node:stream';
import { type Conversion, convertResult } from '../../execution/results/convert-result.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { runErrors } from '../api/errors.ts';

/** Maximum conversions at the same time: of one user, and of all. Each has a thread or a process while its client reads. */
const PER_OWNER = 2;
const TOTAL = 16;

/** Returns a function that converts recorded results. It throws 429 when too many are being converted. */
export function createConverter(): (principal: Principal, conversion: Conversion) => Readable {
  const owners: string[] = [];
  return ({ userId }, conversion) => {
    const conversions = owners.filter((owner) => owner === userId).length;
    if (conversions >= PER_OWNER || owners.length >= TOTAL) throw runErrors.tooManyConversions();
    owners.push(userId);
    const stream = convertResult(conversion, {
      tooLarge: runErrors.tooLargeToConvert,
      outOfRange: runErrors.valueNotConvertible,
    });
    stream.once('close', () => owners.splice(owners.indexOf(userId), 1));
    return stream;
  };
}
