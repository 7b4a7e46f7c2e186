import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MAX_ENTRIES = 1_000;
/** Longer entries are not kept, in UTF-16 code units. */
const MAX_LENGTH = 64 * 1024;
/** Before every line of an entry but the first, in the file. */
const CONTINUES = '\t';

const BLANK = String.raw`(?:\s|/\*[\s\S]*?\*/|--[^\n]*\n)*`;
/** Statements that contain a secret. */
const SECRETS = [
  new RegExp(
    String.raw`\bcreate${BLANK}(?:or${BLANK}replace${BLANK})?(?:persistent|temporary|temp)?${BLANK}secret\b`,
    'i',
  ),
  new RegExp(String.raw`\bpassword${BLANK}(?:=|\(|(?:[en]|u&)?['"]|\$)`, 'i'),
  new RegExp(String.raw`\bidentified${BLANK}(?:with${BLANK}\S+${BLANK})?(?:by|as|via)\b`, 'i'),
];

/** The statements of this session and earlier ones, newest first. */
export interface History {
  readonly entries: readonly string[];
  /** Adds an entry, unless it repeats the last one, or contains a secret. */
  add(entry: string): void;
  /** Keeps the entries of this session for the next one; a file that cannot be written is ignored. */
  save(): void;
}

/** Opens the history in the user's home folder, in a file that only the user can read. */
export function openHistory(userHome: string): History {
  const file = path.join(userHome, '.quern_history');
  const added: string[] = [];
  const earlier = read(file);
  return {
    get entries() {
      return [...added, ...earlier];
    },
    add(text) {
      const entry = text.trim();
      const isKept =
        entry !== '' && entry.length <= MAX_LENGTH && !SECRETS.some((secret) => secret.test(entry));
      if (!isKept || entry === (added[0] ?? earlier[0])) return;
      added.unshift(entry);
      added.length = Math.min(added.length, MAX_ENTRIES);
    },
    save() {
      if (added.length === 0) return;
      // Other sessions may have added entries meanwhile.
      const text = [...added, ...read(file)].slice(0, MAX_ENTRIES).map(print).join('');
      try {
        writeFileSync(file, text, { mode: 0o600 });
        chmodSync(file, 0o600);
      } catch {
        // A read-only home folder must not fail a session.
      }
      added.length = 0;
    },
  };
}

function print(entry: string): string {
  return `${entry.replaceAll('\n', `\n${CONTINUES}`)}\n`;
}

/** Earlier versions wrote one entry on each line. */
function read(file: string): readonly string[] {
  const entries: string[] = [];
  try {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line.startsWith(CONTINUES) && entries.length > 0)
        entries.push(`${entries.pop()}\n${line.slice(1)}`);
      else if (line !== '') entries.push(line);
    }
  } catch {
    // Without a history that can be read, it starts empty.
  }
  return entries;
}
