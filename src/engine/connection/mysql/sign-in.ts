import { existsSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import mysql from 'mysql2';
import { DatabaseError } from '../contract/connection.ts';
import { createCancelled } from '../server/errors.ts';
import { describeConnectFailure } from '../server/tls.ts';
import { toDatabaseError } from './errors.ts';
import { nameHost } from './internals.ts';

/** The address of a server, and the credentials. */
export interface Account {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string | null;
  readonly tls: ConnectionOptions | null;
  /** Maximum time for signing in, in milliseconds. */
  readonly patience: number;
}

/** Utf8mb4, with a collation that all servers support. */
const CHARSET = 'UTF8MB4_GENERAL_CI';
/**
 * Flags of the package that this driver disables: function names as reserved words, reading local files, and attributes
 * before each statement.
 */
const FLAGS = ['-IGNORE_SPACE', '-LOCAL_FILES', '-CLIENT_QUERY_ATTRIBUTES', '-ODBC'];
const SOCKETS = ['mysqld.sock', 'mysql.sock', 'mariadb.sock'];
/** Error code of the package for every problem with a server's certificate. */
const TLS_ERROR = 'HANDSHAKE_SSL_ERROR';
/** Error numbers of servers start here; those of the system are smaller. */
const MIN_NUMBER = 1000;

/** Signs in with the package. Rejects with a DatabaseError. */
export async function signIn(account: Account, signal: AbortSignal): Promise<mysql.Connection> {
  if (signal.aborted) throw createCancelled();
  const { user, password, database, tls, patience, host } = account;
  const connection = mysql.createConnection({
    stream: () => openSocket(account),
    host,
    user,
    password,
    ...(database === null ? {} : { database }),
    ...(tls === null ? {} : { ssl: toPackageTls(tls) }),
    connectTimeout: patience,
    charset: CHARSET,
    flags: FLAGS,
    connectAttributes: { program_name: 'quern' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<mysql.Connection>();
  // Later errors surface to the reader.
  connection.on('error', reject);
  connection.on('connect', () => resolve(connection));
  const stop = () => {
    connection.destroy();
    reject(createCancelled());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await promise;
  } catch (error) {
    connection.destroy();
    throw signal.aborted ? createCancelled() : toConnectError(error, account);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function openSocket({ host, port }: Account): Socket {
  if (host.startsWith('/')) return connect({ path: findSocket(host) });
  const socket = connect({ host, port, noDelay: true, keepAlive: true });
  return nameHost(socket, host);
}

/** The path of a socket, or of the socket in a folder. */
function findSocket(socketPath: string): string {
  if (!existsSync(socketPath) || !statSync(socketPath).isDirectory()) return socketPath;
  const all = SOCKETS.map((name) => path.join(socketPath, name));
  return all.find(existsSync) ?? all[0]!;
}

function toPackageTls({ ca, rejectUnauthorized = true, checkServerIdentity }: ConnectionOptions) {
  return {
    ...(ca === undefined ? {} : { ca: ca as string }),
    rejectUnauthorized,
    verifyIdentity: rejectUnauthorized && checkServerIdentity === undefined,
  };
}

function toConnectError(error: unknown, { host, port }: Account): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { errno = 0, message, sqlState = '', code } = error as mysql.QueryError;
  if (errno >= MIN_NUMBER) {
    const serverError = toDatabaseError({ errno, sqlState, message }, '');
    const errorCode = serverError.code === 'sql' ? 'login' : serverError.code;
    return new DatabaseError(errorCode, message, undefined, { cause: error });
  }
  const address = host.startsWith('/') ? findSocket(host) : `${host}:${port}`;
  const isCertificate = code === TLS_ERROR && /certificate|signature|issuer/i.test(message);
  return describeConnectFailure(isCertificate ? { code: 'CERT', message } : error, address);
}
