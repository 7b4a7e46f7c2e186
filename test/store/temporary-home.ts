import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/store/values/clock.ts';

/** An empty folder that is removed when the test has finished. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quern-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A clock that starts on 2026-03-01 and moves by a millisecond at each call. */
export function createTestClock(): Clock {
  let now = Date.UTC(2026, 2, 1);
  return () => new Date(now++);
}

/** Every file below a folder with a hash of its bytes; two results are equal when no file has changed. */
export function fingerprint(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const hashes = files.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return [file, createHash('sha256').update(readFileSync(file)).digest('hex')];
  });
  return Object.fromEntries(hashes.sort());
}
