import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Home } from './home.ts';

/** The file in which earlier versions recorded the users who published files; a line is a path and the id of a user. */
export const FORMER_LEDGER = 'published.jsonl';

/** Gives the users that an earlier version has recorded, by path, to `takeOver`, and removes its file. */
export function takeOverLedger(
  { folder }: Home,
  takeOver: (owners: ReadonlyMap<string, string>) => void,
): void {
  const ledger = path.join(folder, FORMER_LEDGER);
  if (!existsSync(ledger)) return;
  takeOver(new Map(readFileSync(ledger, 'utf8').split('\n').flatMap(parseEntry)));
  rmSync(ledger);
}

/** Nothing for an incomplete line, whose process ended while it was written. */
function parseEntry(line: string): [] | [[string, string]] {
  try {
    const [name, owner] = JSON.parse(line);
    return [[String(name), String(owner)]];
  } catch {
    return [];
  }
}
