import { connect as connectSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { quoteName, quoteText } from '../../text/sql-quote.ts';
import { type ConnectionSpec, DatabaseError, type Driver } from '../contract/connection.ts';
import { getOption, type Options, resolveOptions } from '../contract/kind.ts';
import { enterSchema } from '../contract/missing-schema.ts';
import { readTexts } from '../contract/run-inner.ts';
import { createCancelled } from '../server/errors.ts';
import { describeConnectFailure, readTls } from '../server/tls.ts';
import { toDatabaseError } from './errors.ts';
import { findSocket, onSetting, takeOver } from './internals.ts';
import { postgresqlKind, SESSION_PARAMETERS } from './kind.ts';
import { postgresqlReadRules } from './read-rules.ts';
import { PostgresqlSession } from './session.ts';
import { PostgresqlWire } from './wire.ts';

/**
 * PostgreSQL, with protocol 3. Options: those of `kind.ts`; overrides: `database`, `schema`. The package `pg` signs in;
 * after that, this driver reads and writes the bytes itself.
 */
export const postgresqlDriver: Driver = {
  readRules: postgresqlReadRules,
  async connect(spec, signal) {
    if (signal.aborted) throw createCancelled();
    const options = resolveOptions(postgresqlKind, spec);
    const tls = await readTls(options);
    const account = readAccount(options, spec);
    const client = createClient(account, tls);
    let version = 0;
    onSetting(client, (name, value) => {
      if (name === 'server_version') version = Number.parseFloat(value);
    });
    await signIn(client, account, signal);
    const { stream, processId, secretKey } = takeOver(client);
    const target = { address: findAddress(account), tls, processId, secretKey };
    const session = new PostgresqlSession(new PostgresqlWire(stream), version, () => requestCancel(target));
    try {
      await settle(session, { ...spec, options }, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  close: async () => {},
};

/** Where the server is, and who signs in to which database. */
function readAccount(options: Options, { overrides }: ConnectionSpec) {
  const user = getOption(options, 'user');
  return {
    host: getOption(options, 'host'),
    port: Number(getOption(options, 'port')),
    user,
    password: options.password ?? '',
    database: overrides.database ?? options.database ?? user,
    patience: Number(getOption(options, 'connect_timeout')) * 1000,
  };
}

type Account = ReturnType<typeof readAccount>;

function findAddress({ host, port }: Account) {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

function createClient(account: Account, tls: ConnectionOptions | null): pg.Client {
  const { host, port, user, password, database, patience } = account;
  const client = new pg.Client({
    host,
    port,
    user,
    database,
    // A function, so that `pg` does not read a password from the environment or a file.
    password: () => password,
    ssl: tls ?? false,
    connectionTimeoutMillis: patience,
    keepAlive: true,
    application_name: 'quern',
  });
  // Later errors surface to the reader.
  client.on('error', () => {});
  return client;
}

async function signIn(client: pg.Client, { host, port }: Account, signal: AbortSignal): Promise<void> {
  const stop = () => findSocket(client).destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
  } catch (error) {
    stop();
    throw signal.aborted ? createCancelled() : toConnectError(error, `${host}:${port}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toConnectError(error: unknown, address: string): DatabaseError {
  if (!(error instanceof pg.DatabaseError)) {
    const { message } = error as Error;
    if (!message.startsWith('SASL')) return describeConnectFailure(error, address);
    const text = /non-empty|must be a string/.test(message)
      ? `${address} asks for a password, but the connection has no password.`
      : `${address} could not show that it knows the password (${message}).`;
    return new DatabaseError('login', text, undefined, { cause: error });
  }
  const { code = '', message, detail = null, hint = null } = error;
  return toDatabaseError({ code, message, detail, hint, position: null }, '');
}

/** Sets the parameters that the decoders and the scanner rely on, and the schema of the session. */
async function settle(session: PostgresqlSession, spec: ConnectionSpec, signal: AbortSignal): Promise<void> {
  const schema = spec.overrides.schema ?? spec.options.schema;
  const settings = {
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '3',
    standard_conforming_strings: 'on',
  };
  const chosen = Object.entries(SESSION_PARAMETERS).flatMap(([option, parameter]) => {
    const value = spec.options[option];
    return value === undefined ? [] : [[parameter, value] as const];
  });
  const calls = [...Object.entries(settings), ...chosen].map(
    ([name, value]) => `set_config('${name}', ${quoteText(value)}, false)`,
  );
  await readTexts(await session.run(`SELECT ${calls.join(', ')}`, signal));
  await watchClient(session, signal);
  if (schema === undefined) return;
  const missing = new DatabaseError('sql', `schema "${schema}" does not exist`);
  await enterSchema(spec, {
    schema,
    use: () => useSchema(session, schema, missing, signal),
    isMissing: (error) => error === missing,
    create: () => session.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`, signal),
  });
}

/** If supported, the server cancels statements of a client that has disconnected. */
async function watchClient(session: PostgresqlSession, signal: AbortSignal): Promise<void> {
  const statement = `SELECT set_config(name, '2s', false) FROM pg_catalog.pg_settings
    WHERE name = 'client_connection_check_interval' AND setting = '0'`;
  await session.run(statement, signal).then(readTexts).catch(ignoreSqlError);
}

function ignoreSqlError(error: unknown): void {
  if (!(error instanceof DatabaseError) || error.code !== 'sql') throw error;
}

/** Rejects with `missing` if the schema does not exist. */
async function useSchema(
  session: PostgresqlSession,
  schema: string,
  missing: DatabaseError,
  signal: AbortSignal,
): Promise<void> {
  const result = await session.run(
    `SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname = ${quoteText(schema)}`,
    signal,
  );
  if ((await readTexts(result)).length === 0) throw missing;
  await session.run(`SET search_path = ${quoteName(schema)}`, signal);
}

/** Timeout of a cancel request, in milliseconds. */
const PATIENCE = 5000;

/** The address of a server, and the session to cancel. */
interface CancelTarget {
  /** A port, or the path of a socket. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly tls: ConnectionOptions | null;
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Asks a server, through a separate connection, to cancel the work of a session; encrypted like the session. Resolves
 * when the server has passed the request on, or cannot be reached; never rejects.
 */
function requestCancel({ address, tls, processId, secretKey }: CancelTarget): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = serialize.cancel(processId, secretKey);
  const socket: Socket = connectSocket({ ...address, timeout: PATIENCE });
  const end = () => {
    socket.destroy();
    resolve();
  };
  socket.on('timeout', end);
  socket.on('error', end);
  socket.on('close', end);
  socket.on('connect', () => {
    if (tls === null) return socket.write(request);
    socket.once('data', () => {
      const secure = connectTls({ ...tls, socket }, () => secure.write(request));
      secure.on('error', end);
      secure.on('close', end);
    });
    return socket.write(serialize.requestSsl());
  });
  return promise;
}
