import { type ConnectionOptions, createSecureContext, rootCertificates } from 'node:tls';
import { quoteName } from '../../text/sql-quote.ts';
import { type ConnectionSpec, DatabaseError, type Driver } from '../contract/connection.ts';
import { getOption, type Options, resolveOptions } from '../contract/kind.ts';
import { enterSchema } from '../contract/missing-schema.ts';
import { readTexts } from '../contract/run-inner.ts';
import { createCancelled } from '../server/errors.ts';
import { readPem, readTls } from '../server/tls.ts';
import { ClientSession } from './client-session.ts';
import { HttpClient } from './http.ts';
import { trinoKind } from './kind.ts';
import { hasErrorName } from './publish/error-names.ts';
import { trinoReadRules } from './read-rules.ts';
import { TrinoServer } from './server.ts';
import { TrinoSession } from './session.ts';
import { readStart } from './start.ts';

/** Trino, over its REST protocol. Options: those of `kind.ts`; overrides: `database` (the catalog) and `schema`. */
export const trinoDriver: Driver = {
  readRules: trinoReadRules,
  async connect(spec, signal, noteQueued = () => {}) {
    if (signal.aborted) throw createCancelled();
    const options = resolveOptions(trinoKind, spec);
    const start = readStart(options, spec.overrides);
    const { tls, headers } = await prepareSignIn(start.user, options);
    const state = new ClientSession(start);
    const session = new TrinoSession({
      server: createServer(options, tls),
      state,
      credentials: headers,
      spooling: options.spooling === 'true',
      noteQueued,
    });
    try {
      await settle(spec, session, state, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  close: async () => {},
};

/** The storage of results has another certificate than the server, and never gets that of the user. */
function createServer(options: Options, tls: ConnectionOptions | null): TrinoServer {
  const host = getOption(options, 'host');
  const patience = Number(getOption(options, 'connect_timeout')) * 1000;
  const name = host.includes(':') ? `[${host}]` : host;
  const { ca, rejectUnauthorized } = tls ?? {};
  const storage = {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca].flat() }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
  return new TrinoServer(
    new URL(`${tls === null ? 'http' : 'https'}://${name}:${getOption(options, 'port')}`),
    new HttpClient(tls ?? {}, patience),
    new HttpClient(storage, patience),
    patience,
  );
}

/** Signs in, and checks that the catalog and the schema of the session exist. */
async function settle(
  spec: ConnectionSpec,
  session: TrinoSession,
  state: ClientSession,
  signal: AbortSignal,
): Promise<void> {
  const { catalog, schema } = state;
  if (catalog === null) {
    await readTexts(await session.run("SELECT ''", signal));
  } else if (schema === null) {
    await readTexts(await session.run(`SHOW SCHEMAS FROM ${quoteName(catalog)} LIKE ''`, signal));
  } else {
    const name = `${quoteName(catalog)}.${quoteName(schema)}`;
    await enterSchema(spec, {
      schema,
      use: () => session.run(`USE ${name}`, signal),
      isMissing: (error) => hasErrorName(error, 'NOT_FOUND'),
      create: () => session.run(`CREATE SCHEMA IF NOT EXISTS ${name}`, signal),
    });
  }
}

/** Secrets that are sent, or used, on encrypted connections only. */
const SECRETS = ['password', 'jwt', 'sslkey', 'extra_credentials'] as const;
/** The server reads user and password as Latin-1. */
const LATIN = /^[\0-\xff]*$/;

/** How a user shows a server who they are. */
interface SignIn {
  /** Null without encryption. */
  readonly tls: ConnectionOptions | null;
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Prepares the sign-in of a connection: none, a password, a token or a certificate. Rejects with a DatabaseError. */
async function prepareSignIn(user: string, options: Options): Promise<SignIn> {
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
