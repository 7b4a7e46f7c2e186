import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadStringReader } from '../../../../src/engine/connection/duckdb/values/string-reader.ts';
import { compileWat } from '../../../support/compile-wat.ts';
import { share } from '../../../support/rotation.ts';

const folder = path.resolve(import.meta.dirname, '../../../../src/engine/connection/duckdb/values');

it('the compiled code is that of the text', async () => {
  const text = await compileWat(path.join(folder, 'read-strings.wat'));
  await expect(text).toMatchFileSnapshot(path.join(folder, 'read-strings-code.ts'));
});

/** A string in the engine's memory; one of up to 12 bytes has no address. */
interface Stored {
  readonly length: number;
  readonly address: bigint;
}

function write(rows: readonly (Stored | null)[]): { records: Buffer; validity: Uint8Array | null } {
  const records = Buffer.alloc(rows.length * 16);
  const validity = new Uint8Array((rows.length + 7) >> 3);
  rows.forEach((row, i) => {
    // The record of a NULL row is undefined.
    const { length, address } = row ?? { length: 99, address: 7n };
    records.writeUInt32LE(length, i * 16);
    records.writeBigUInt64LE(address, i * 16 + 8);
    if (row !== null) validity[i >> 3]! |= 1 << (i & 7);
  });
  return { records, validity: rows.includes(null) ? validity : null };
}

/** What the reader should find, row by row: the content of each long string is at `start` of the runs. */
function check(rows: readonly (Stored | null)[]): void {
  const { records, validity } = write(rows);
  const read = loadStringReader().read(records, validity);
  expect([...read.lengths].map((length) => length >>> 0)).toEqual(rows.map((row) => row?.length ?? 0));
  expect(read.total).toBe(rows.reduce((sum, row) => sum + (row?.length ?? 0), 0));
  const runs: { at: number; address: bigint; length: number }[] = [];
  let at = records.length;
  for (const pairs of read.runs) {
    for (let i = 0; i < pairs.length; i += 2) {
      const [first, length] = [pairs[i]!, pairs[i + 1]! >>> 0];
      runs.push({ at, address: rows[first]!.address, length });
      at += length;
    }
  }
  expect(read.end).toBe(at);
  rows.forEach((row, i) => {
    if (row === null || row.length <= 12) {
      expect(read.starts[i]).toBe(i * 16 + 4);
      return;
    }
    const start = read.starts[i]! >>> 0;
    const run = runs.findLast((own) => own.at <= start)!;
    expect(run.address + BigInt(start - run.at)).toBe(row.address);
    expect(start + row.length).toBeLessThanOrEqual(run.at + run.length);
  });
}

/** Strings one after another, with gaps, a few of them large. */
const stored = fc
  .array(
    fc.record({
      length: fc.oneof(fc.nat(40), fc.constantFrom(0, 12, 13, 5000)),
      gap: fc.constantFrom(0, 0, 0, 1, 63, 64, -1, -500, 2 ** 40),
      isNull: fc.boolean(),
    }),
    { minLength: 1, maxLength: 100 },
  )
  .map((rows) => {
    let next = 2n ** 46n;
    return rows.map(({ length, gap, isNull }) => {
      if (isNull) return null;
      const address = next + BigInt(gap);
      if (length > 12) next = address + BigInt(length);
      return { length, address };
    });
  });

it('finds every string, in runs of the memory', () => {
  fc.assert(fc.property(stored, check), { numRuns: share(500) });
});

it('joins strings with small gaps between them', () => {
  const rows = [100n, 120n, 203n, 287n].map((address) => ({ length: 20, address }));
  const { records } = write(rows);
  const { runs, starts, end } = loadStringReader().read(records, null);
  expect(runs.map((pairs) => [...pairs])).toEqual([[0, 123, 3, 20]]);
  expect([...starts]).toEqual([64, 84, 167, 187]);
  expect(end).toBe(64 + 143);
});

it('reads more rows than fit at once', () => {
  const rows = Array.from({ length: 5000 }, (_, i) =>
    i % 7 === 0 ? null : { length: i % 30, address: 2n ** 40n + BigInt(i) * 30n },
  );
  check(rows);
});

it('counts more than 4 GiB', () => {
  const { records } = write([
    { length: 2 ** 32 - 1, address: 64n },
    { length: 13, address: 63n + 2n ** 32n },
  ]);
  expect(loadStringReader().read(records, null)).toMatchObject({ total: 2 ** 32 + 12, end: 2 ** 32 + 44 });
});
