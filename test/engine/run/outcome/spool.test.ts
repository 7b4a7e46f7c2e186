import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSpool, SpoolLimitError } from '../../../../src/engine/run/outcome/spool.ts';
import { makeFolder } from '../../../support/quern.ts';

describe('the spool', () => {
  it('returns the written bytes in order, and leaves no file', async () => {
    const folder = makeFolder();
    const spool = await openSpool(folder, 2_000_000);
    expect(readdirSync(folder)).toEqual([]);
    const parts = Array.from({ length: 9 }, (_, i) => Buffer.alloc(100_000, 65 + i));
    for (const part of parts) await spool.write(part);
    const back: Uint8Array[] = [];
    await spool.release({ write: (bytes) => void back.push(Buffer.from(bytes)) });
    const end = Buffer.from('what comes later');
    await spool.write(end);
    await spool.close();
    expect(Buffer.concat(back).equals(Buffer.concat([...parts, end]))).toBe(true);
  });

  it('rejects bytes beyond its limit', async () => {
    const spool = await openSpool(makeFolder(), 10);
    await spool.write(Buffer.alloc(10));
    await expect(spool.write(Buffer.alloc(1))).rejects.toThrow(SpoolLimitError);
    await spool.close();
  });
});
