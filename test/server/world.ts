import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import type { App } from '../../src/server/http/typed-app.ts';
import { createLog } from '../../src/server/log/log.ts';
import { readValues, type SettingValues } from '../../src/settings/read-settings.ts';
import { readSettings } from '../../src/workspace/home/home-config.ts';
import { type Instance, type InstanceOptions, openInstance } from '../../src/workspace/instance/instance.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/instance/open-workspace.ts';
import type { ExecutionOptions } from '../../src/workspace/runs/executions.ts';
import { createHome } from '../../src/workspace/setup/create-home.ts';
import { type Answer, type Sending, send } from '../support/http.ts';

/** The defaults, without limits of connections. */
export const SETTINGS: SettingValues = {
  ...readValues(readSettings({ home: '' })),
  maxConnections: 0,
  maxConnectionsPerAddress: 0,
};

/** Settings of a server, and the duration of a request. */
export type ServerSettings = Partial<SettingValues> & { readonly requestTimeoutMs?: number };

/** The parts of a request besides its method and target. */
interface Asking extends Sending {
  /** By default the administrator's token; null sends none. */
  readonly token?: string | null;
}

/** A server in this process on a separate home; both are removed when the test ends. */
export interface World {
  readonly home: string;
  readonly app: App;
  readonly instance: Instance;
  readonly url: string;
  readonly port: number;
  /** The administrator's token. */
  readonly token: string;
  /** The records of the log, one for each line. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  ask(method: string, target: string, asking?: Asking): Promise<Answer>;
  /** Creates a user with a token, which is returned. */
  createUser(name: string, role?: string, token?: { scope?: string }): Promise<string>;
}

/** Starts a server; it runs SQL with `execution`, and serves semantic models with `semantic`. */
export async function createWorld(
  { requestTimeoutMs = 60_000, ...settings }: ServerSettings = {},
  execution?: ExecutionOptions,
  semantic?: InstanceOptions['semantic'],
): Promise<World> {
  const home = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
  const withWorkspace = async <T>(use: (workspace: Workspace) => Promise<T> | T) => {
    const workspace = openWorkspace({ home });
    try {
      return await use(workspace);
    } finally {
      await workspace.close();
    }
  };
  const { token } = await withWorkspace(({ accounts, principal }) =>
    accounts.tokens.create(principal, { name: 'tests' }),
  );
  const flags = { baseUrl: settings.baseUrl };
  const findSettings = () => readSettings({ home, flags });
  const instance = openInstance({ home, execution, semantic, findSettings });
  const log: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) log.push(JSON.parse(line));
      done();
    },
  });
  const app = await createApp({
    instance,
    log: createLog('trace', destination),
    settings: { ...SETTINGS, ...settings },
    requestTimeoutMs,
    version: '1.2.3',
    tls: null,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    const closed = app.close();
    app.server.closeAllConnections();
    await closed;
    await instance.close();
    rmSync(home, { recursive: true, force: true });
  });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    home,
    app,
    instance,
    url,
    port,
    token,
    log,
    ask: (method, target, { token: own = token, headers, ...asking } = {}) => {
      const sign = own === null ? {} : { authorization: `Bearer ${own}` };
      return send(url, method, target, { ...asking, headers: { ...sign, ...headers } });
    },
    createUser: (name, role = 'EDITOR', { scope } = {}) =>
      withWorkspace(async ({ accounts: { users, tokens }, principal }) => {
        await users.create(principal, name, { role });
        return tokens.create(principal, { name: 'tests', owner: name, scope }).token;
      }),
  };
}
