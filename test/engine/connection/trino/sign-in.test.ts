import { createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DatabaseErrorCode } from '../../../../src/engine/connection/contract/connection.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { query, readError } from '../results.ts';
import { openTrino } from './sessions.ts';

type Options = Readonly<Record<string, string>>;

/** A token that the cluster accepts until `expires`, in seconds since 1970. */
function createToken(key: string, expires: number): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ sub: 'quern', exp: expires })}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

describe.skipIf(!hasCluster)('a sign-in to Trino', () => {
  const cluster = useCluster();
  const open = (options: Options = {}) => {
    const { host, httpsPort, user, authority } = cluster();
    const own = { host, port: String(httpsPort), user, sslmode: 'verify-full', sslrootcert: authority };
    return openTrino({ ...own, ...options });
  };
  const readUser = async (options: Options) => query(await open(options), 'SELECT current_user');
  const readKey = () => readFileSync(cluster().client.key, 'utf8');

  it('works with a password', async () => {
    expect(await readUser({ password: cluster().password })).toEqual([[cluster().user]]);
  });

  it('works with a token, and fails when it has expired', async () => {
    const { tokenKey } = cluster();
    expect(await readUser({ jwt: `${createToken(tokenKey, inSeconds(600))}\n` })).toEqual([['quern']]);
    expect(await readError(open({ jwt: createToken(tokenKey, inSeconds(-600)) }))).toMatchObject({
      code: 'login',
    });
  });

  it('works with a certificate', async () => {
    const sslcert = cluster().client.certificate;
    expect(await readUser({ user: cluster().user, sslcert, sslkey: readKey() })).toEqual([['quern']]);
  });

  it('works without a check of the certificate, or of its name', async () => {
    const { password, authority } = cluster();
    expect(await readUser({ password, sslmode: 'require' })).toEqual([['quern']]);
    expect(await readUser({ password, sslmode: 'verify-ca', sslrootcert: authority })).toEqual([['quern']]);
  });

  it.each<[string, (own: ReturnType<typeof cluster>) => Options, DatabaseErrorCode, string]>([
    ['a wrong password', () => ({ password: 'wrong' }), 'login', 'status 401'],
    ['no password', () => ({}), 'login', 'status 401'],
    ['a password that is not Latin-1', () => ({ password: '💛' }), 'login', 'Latin-1'],
    ['a wrong token', () => ({ jwt: 'a.b.c' }), 'login', 'status 401'],
    ['a token with a line break', () => ({ jwt: 'a\nx: y' }), 'login', 'no token has'],
    ['a password and a token', () => ({ password: 'x', jwt: 'y' }), 'login', 'remove one of them'],
    [
      'a certificate without a key',
      (own) => ({ sslcert: own.client.certificate }),
      'login',
      'sslkey is missing',
    ],
    ['a key without a certificate', () => ({ sslkey: 'x' }), 'login', 'sslcert is missing'],
    ['a key that is not PEM', (own) => ({ sslcert: own.client.certificate, sslkey: 'x' }), 'login', 'in PEM'],
    ['another key', (own) => ({ sslcert: own.client.certificate, sslkey: createKey() }), 'login', 'in PEM'],
    [
      'a missing certificate',
      () => ({ sslcert: '/nowhere', sslkey: 'x' }),
      'unreachable',
      'sslcert cannot be read',
    ],
    [
      'an unknown issuer',
      () => ({ password: 'x', sslrootcert: '/etc/ssl/certs/ca-certificates.crt' }),
      'unreachable',
      'not trusted',
    ],
    [
      'a server that does not encrypt',
      (own) => ({ password: 'x', port: String(own.httpPort) }),
      'unreachable',
      'does not encrypt',
    ],
    ['no server', () => ({ port: '1' }), 'unreachable', 'Nothing answers'],
    ['an unknown option', () => ({ database: 'x' }), 'unreachable', 'no option "database"'],
  ])('fails with %s', async (_, toOptions, code, message) => {
    const error = await readError(open(toOptions(cluster())));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each(['password', 'jwt', 'sslkey', 'sslcert', 'extra_credentials'])(
    'does not send %s without encryption',
    async (name) => {
      const { host, httpPort } = cluster();
      const options = { host, port: String(httpPort), sslmode: 'disable', [name]: 'a=b' };
      const { code, message } = await readError(open(options));
      expect([code, message]).toEqual(['login', expect.stringContaining(name)]);
      expect(message).toContain('sslmode=verify-full');
    },
  );
});

function createKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
