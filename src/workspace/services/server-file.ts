import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'server.json';

/** The content of a home's `server.json` while a server runs (design of a home). */
export interface ServerFile {
  readonly pid: number;
  /** The address that it listens on. */
  readonly url: string;
  /** The version of Quern. */
  readonly version: string;
  readonly started_at: string;
}

/** Reads a home's `server.json`; null if it is missing or cannot be read. */
export function readServerFile(home: string): ServerFile | null {
  try {
    return JSON.parse(readFileSync(path.join(home, FILE), 'utf8'));
  } catch {
    return null;
  }
}

/** Writes a home's `server.json` atomically, readable only by its owner. The returned function removes it. */
export function writeServerFile(home: string, content: ServerFile): () => void {
  const file = path.join(home, FILE);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => rmSync(file, { force: true });
}
