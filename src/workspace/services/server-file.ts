import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'server.json';

/** What a home's `server.json` says while a server runs (design of a home). */
export interface ServerFile {
  readonly pid: number;
  /** The address that it listens on. */
  readonly url: string;
  /** Of the product. */
  readonly version: string;
  readonly started_at: string;
}

/** What `server.json` of a home says; null where it is not there, or cannot be read now. */
export function readServerFile(home: string): ServerFile | null {
  try {
    return JSON.parse(readFileSync(path.join(home, FILE), 'utf8'));
  } catch {
    return null;
  }
}

/** Writes a home's `server.json`, at once and for its owner alone; the function that it returns removes it again. */
export function writeServerFile(home: string, content: ServerFile): () => void {
  const file = path.join(home, FILE);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => rmSync(file, { force: true });
}
