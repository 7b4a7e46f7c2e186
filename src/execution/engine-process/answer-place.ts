import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';

/** The place of the socket at which one engine process listens. */
export interface AnswerPlace {
  readonly socket: string;
  /** Removes it. */
  remove(): void;
}

/**
 * Chooses a new place in a private `folder`, or in a private folder among the system's temporary files when the path of
 * `folder` is too long for a socket.
 */
export function chooseAnswerPlace(folder: string): AnswerPlace {
  const socket = path.join(folder, `engine-${randomUUID()}`);
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_LENGTH) return { socket, remove: () => remove(socket) };
  const own = mkdtempSync(path.resolve(tmpdir(), 'quern-'));
  return { socket: path.join(own, 'engine'), remove: () => remove(own) };
}

function remove(name: string): void {
  rmSync(name, { recursive: true, force: true });
}
