import { unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import type { FastifyBaseLogger } from 'fastify';
import type { App } from '../http/typed-app.ts';
import { readTlsFiles, type TlsFiles } from './read-tls-files.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Takes up a certificate and key whenever one of the files changes, by time or by where a link leads; connections that
 * are open stay as they are. Files that do not fit together, as while they are being replaced, change nothing and are
 * told of in the log. Returns how to stop it.
 */
export function reloadTls(app: App, files: TlsFiles, log: FastifyBaseLogger): () => void {
  const server = app.server as unknown as Server;
  const reload = () => {
    try {
      server.setSecureContext(readTlsFiles(files));
      log.info('took up the changed TLS certificate');
    } catch (error) {
      log.error({ err: error }, 'the changed TLS files cannot be used; the earlier ones stay');
    }
  };
  const watched = [files.cert, files.key];
  for (const file of watched) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
  return () => {
    for (const file of watched) unwatchFile(file, reload);
  };
}
