import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');

/**
 * The seed of a run: `QUERN_SEED`, or else a number made from the files of `src`. So the same sources run the same cases,
 * and a change of them runs others.
 */
export function findSeed(given: string | undefined): string {
  if (given === undefined) return hashFiles();
  if (given !== 'all' && !/^\d{1,9}$/.test(given)) {
    throw new Error(`QUERN_SEED is \`${given}\`: use a whole number below 1,000,000,000, or \`all\``);
  }
  return given;
}

function hashFiles(): string {
  const hash = createHash('sha256');
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(path.relative(src, file)).update(readFileSync(file));
  return String(hash.digest().readUInt32BE() % 1_000_000_000);
}
