import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { SettingValues } from '../settings/read-settings.ts';
import type { Instance } from '../workspace/instance/instance.ts';
import { createApp } from './app.ts';
import { emptyBinRegularly } from './catalog/empty-bin.ts';
import type { ReadStatus } from './health/server-status.ts';
import type { App } from './http/typed-app.ts';
import type { LogState } from './log/log.ts';
import { refreshDaily } from './saml/refresh-daily.ts';
import { readTlsFiles } from './tls/read-tls-files.ts';
import { reloadTls } from './tls/reload-tls.ts';

const SWEEP_EVERY_MS = 50;

/** Options of a server. */
export interface ServerOptions {
  readonly instance: Instance;
  /** The version of the product. */
  readonly version: string;
  readonly settings: SettingValues;
  readonly log: FastifyBaseLogger;
  readonly logState?: LogState;
}

/** A running server. */
export interface RunningServer {
  /** The address it listens on, as a URL without a trailing slash. */
  readonly url: string;
  readonly readStatus: ReadStatus;
  /** Refuses new connections, lets running requests end within the time limit, and closes the rest. */
  stop(): Promise<void>;
}

/**
 * Starts a server (docs/reference/http-api.md#addresses). Rejects with the system's error for an address that cannot be
 * used, and with a TlsFilesError. A host name resolves to its first address.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, log } = options;
  const { host, port, tlsCert: cert, tlsKey: key } = settings;
  const tls = cert === undefined || key === undefined ? null : { cert, key };
  const content = tls && readTlsFiles(tls);
  const { address } = await lookup(host);
  const app = await createApp({ ...options, tls: content });
  await app.listen({ host: address, port });
  const stopReloading = tls === null ? () => undefined : reloadTls(app, tls, log);
  const stopRefreshing = refreshDaily(options.instance, log);
  const stopEmptying = emptyBinRegularly(options.instance, log);
  const url = printUrl(app.server.address() as AddressInfo, tls !== null);
  return {
    url,
    readStatus: app.readStatus,
    stop: async () => {
      log.info('stopping');
      stopReloading();
      stopRefreshing();
      stopEmptying();
      await stop(app, settings.stopGrace * 1_000);
      log.info('stopped');
    },
  };
}

async function stop(app: App, graceMs: number): Promise<void> {
  // Connections become idle only after their last response.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_EVERY_MS);
  const late = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(late);
  }
}

function printUrl({ address, family, port }: AddressInfo, isSecure: boolean): string {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${isSecure ? 'https' : 'http'}://${host}:${port}`;
}
