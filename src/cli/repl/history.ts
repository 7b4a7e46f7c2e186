import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MAX_ENTRIES = 1_000;

/** The lines of earlier sessions, newest first, in a file that only the user can read. */
export interface History {
  readonly entries: readonly string[];
  /** Keeps entries for the next session; a file that cannot be written is ignored. */
  save(entries: readonly string[]): void;
}

/** Opens the history in the user's home folder. */
export function openHistory(userHome: string): History {
  const file = path.join(userHome, '.quern_history');
  return {
    entries: read(file),
    save: (entries) => {
      const text = entries
        .slice(0, MAX_ENTRIES)
        .map((entry) => `${entry}\n`)
        .join('');
      try {
        writeFileSync(file, text, { mode: 0o600 });
      } catch {
        // A read-only home folder must not fail a session.
      }
    },
  };
}

function read(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
