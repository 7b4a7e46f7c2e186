import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { DatabaseError } from '../contract/connection.ts';
import { readPem, readTls } from '../server/tls.ts';

type Options = Readonly<Record<string, string>>;

/** Secrets that are sent, or used, on encrypted connections only. */
const SECRETS = ['password', 'jwt', 'sslkey', 'extra_credentials'] as const;
/** The server reads user and password as Latin-1. */
const LATIN = /^[\0-\xff]*$/;

/** How a user shows a server who they are. */
export interface SignIn {
  /** Null without encryption. */
  readonly tls: ConnectionOptions | null;
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Prepares the sign-in of a connection: none, a password, a token or a certificate. Rejects with a DatabaseError. */
export async function prepareSignIn(user: string, options: Options): Promise<SignIn> {
  const tls = await readTls(options);
  const secret = SECRETS.find((name) => options[name] !== undefined);
  if (tls === null && (secret !== undefined || options.sslcert !== undefined)) {
    const message = `The connection has the option ${secret ?? 'sslcert'}, which is only used with encryption: set sslmode=verify-full and the port for HTTPS.`;
    throw new DatabaseError('login', message);
  }
  return {
    tls: tls && { ...tls, ...(await readCertificate(options)) },
    headers: createHeaders(user, options),
  };
}

function createHeaders(user: string, { password, jwt }: Options): Readonly<Record<string, string>> {
  if (password !== undefined && jwt !== undefined) {
    throw new DatabaseError('login', 'The connection has a password and a token (jwt): remove one of them.');
  }
  if (jwt !== undefined) return { authorization: `Bearer ${checkToken(jwt.trim())}` };
  if (password === undefined) return {};
  const pair = `${user}:${password}`;
  if (!LATIN.test(pair)) {
    const message = 'Trino reads the user and the password as Latin-1, which lacks one of their characters.';
    throw new DatabaseError('login', message);
  }
  return { authorization: `Basic ${Buffer.from(pair, 'latin1').toString('base64')}` };
}

function checkToken(token: string): string {
  if (/^[\w.~+/=-]+$/.test(token)) return token;
  throw new DatabaseError('login', 'The token (jwt) has characters that no token has, such as spaces.');
}

async function readCertificate({ sslcert, sslkey }: Options): Promise<ConnectionOptions> {
  if (sslcert === undefined && sslkey === undefined) return {};
  if (sslcert === undefined || sslkey === undefined) {
    const missing = sslcert === undefined ? 'sslcert' : 'sslkey';
    throw new DatabaseError(
      'login',
      `A sign-in with a certificate needs sslcert and sslkey: ${missing} is missing.`,
    );
  }
  const pair = { cert: await readPem(sslcert, 'sslcert'), key: sslkey };
  try {
    createSecureContext(pair);
  } catch (cause) {
    const { message } = cause as Error;
    const text = `sslcert and sslkey are not a certificate and its private key in PEM (${message}).`;
    throw new DatabaseError('login', text, undefined, { cause });
  }
  return pair;
}
