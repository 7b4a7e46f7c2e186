import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type {
  Connection,
  ConnectionSpec,
  Driver,
} from '../../../src/engine/connection/contract/connection.ts';
import { findPort } from '../../support/find-port.ts';
import { never, readError } from './results.ts';

type Options = Readonly<Record<string, string>>;
type Connect = (options?: Options, signal?: AbortSignal, overrides?: Options) => Promise<Connection>;

/** Opens sessions on a server with changed options; they are closed with the test. */
export function createConnect(driver: Driver, kind: ConnectionSpec['kind'], server: Options | null): Connect {
  return async (options = {}, signal = never, overrides = {}) => {
    const spec = { name: 'test', kind, options: { ...server, ...options }, overrides };
    const connection = await driver.connect(spec, signal);
    onTestFinished(() => connection.close());
    return connection;
  };
}

/**
 * Options with which the server refuses the session: their name, and the code and the message of the error.
 */
type Unusable = readonly [
  name: string,
  options: Readonly<Record<string, string>>,
  code: string,
  message: RegExp,
];

/** For servers that can be reached by a socket. */
export const MISSING_SOCKET: Unusable = [
  'a missing socket',
  { host: '/no/such/folder' },
  'unreachable',
  /no socket/,
];

const UNUSABLE: readonly Unusable[] = [
  ['an unknown host', { host: 'no.such.host.invalid' }, 'unreachable', /no\.such\.host\.invalid/],
  ['a server without TLS', { sslmode: 'require' }, 'unreachable', /does not encrypt: set sslmode=disable/],
  [
    'a missing file of certificates',
    { sslmode: 'verify-ca', sslrootcert: '/no/such' },
    'unreachable',
    /sslrootcert/,
  ],
  ['an unknown option', { hots: 'x' }, 'unreachable', /no option "hots"/],
];

/**
 * An unavailable server, for a driver that opens its sessions with `connect`: in the driver's `own` cases and
 * in those of all drivers.
 */
export function describeUnusable(
  connect: Connect,
  password: string | undefined,
  own: readonly Unusable[],
): void {
  it.each([...own, ...UNUSABLE])('reports %s', async (_, options, code, message) => {
    const error = await readError(connect(options));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).not.toContain(password);
  });

  it('reports that no server listens', async () => {
    const error = await readError(connect({ port: String(await findPort()) }));
    expect(error.code).toBe('unreachable');
    expect(error.message).toMatch(/Nothing answers at 127\.0\.0\.1:\d+/);
  });

  it('stops waiting when the server does not answer, and on cancellation', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const error = await readError(connect({ port: String(port), connect_timeout: '1' }));
    expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('does not answer') });
    const stop = new AbortController();
    once(silent, 'connection').then(() => stop.abort());
    expect((await readError(connect({ port: String(port) }, stop.signal))).code).toBe('cancelled');
    silent.close();
  });
}

/** Makes a key and a self-signed certificate for `localhost`, in a folder. */
export function makeCertificate(
  folder: string,
  as: ExecFileSyncOptions = { stdio: 'pipe' },
): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [path.join(folder, 'server.key'), path.join(folder, 'server.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], as);
  return { key, certificate };
}

/** A server with such a certificate is trusted if the options allow it. */
export async function expectTrust(
  connect: Connect,
  options: Readonly<Record<string, string>>,
  certificate: string,
  isEncrypted: (options: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<void> {
  const known = { ...options, sslrootcert: certificate };
  expect(await isEncrypted({ ...options, sslmode: 'require' })).toBe(true);
  expect(await isEncrypted({ ...known, sslmode: 'verify-ca' })).toBe(true);
  expect(await isEncrypted({ ...known, sslmode: 'verify-full', host: 'localhost' })).toBe(true);
  expect(await isEncrypted({ ...known, sslmode: 'disable' })).toBe(false);
  expect(await readError(connect({ ...known, sslmode: 'verify-full' }))).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/not trusted .*IP.*127\.0\.0\.1/),
  });
  expect(await readError(connect({ ...options, sslmode: 'verify-full' }))).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/not trusted .*self-signed.*sslrootcert/),
  });
}
