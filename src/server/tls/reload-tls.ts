import { unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import type { FastifyBaseLogger } from 'fastify';
import type { App } from '../http/typed-app.ts';
import { readTlsFiles, type TlsFiles } from './read-tls-files.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Reloads certificate and key whenever one of the files changes, by its time or by its link target. Open connections are
 * not affected. Files that do not match, for example while they are being replaced, change nothing and are reported in
 * the log. Returns a function that stops the reloading.
 */
export function reloadTls(app: App, files: TlsFiles, log: FastifyBaseLogger): () => void {
  const server = app.server as unknown as Server;
  const reload = () => {
    try {
      server.setSecureContext(readTlsFiles(files));
      log.info('reloaded the changed TLS certificate');
    } catch (error) {
      log.error({ err: error }, 'the changed TLS files cannot be used; the previous ones stay active');
    }
  };
  const watched = [files.cert, files.key];
  for (const file of watched) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
  return () => {
    for (const file of watched) unwatchFile(file, reload);
  };
}
