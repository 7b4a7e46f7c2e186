import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toFile, toName } from './groups.ts';

/** How many seconds each file of tests took in a complete run, by its path below `test`; the slowest first. */
const FILE = path.join(import.meta.dirname, 'times.json');

/** Seconds by absolute path; only of files that exist. */
export function readKept(): ReadonlyMap<string, number> {
  const times: Record<string, number> = JSON.parse(readFileSync(FILE, 'utf8'));
  return new Map(
    Object.entries(times)
      .map(([name, seconds]) => [toFile(name), seconds] as const)
      .filter(([file]) => existsSync(file)),
  );
}

/** Keeps the seconds of these files, by absolute path. */
export function keepTimes(seconds: ReadonlyMap<string, number>): void {
  const rows = [...seconds]
    .map(([file, own]) => [toName(file), Math.round(own * 10) / 10] as const)
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}
