import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a home's `server.json` says while a server runs (design of a home). */
export interface ServerFile {
  readonly pid: number;
  /** The address that it listens on. */
  readonly url: string;
  /** Of the product. */
  readonly version: string;
  readonly started_at: string;
}

/** Writes a home's `server.json`, at once and for its owner alone; the function that it returns removes it again. */
export function writeServerFile(home: string, content: ServerFile): () => void {
  const file = path.join(home, 'server.json');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => rmSync(file, { force: true });
}
