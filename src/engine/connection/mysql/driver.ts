import { SQL_DIALECT } from '../../text/sql-dialect.ts';
import { type ConnectionSpec, DatabaseError, type Driver } from '../contract/connection.ts';
import { getOption, type Options, resolveOptions } from '../contract/kind.ts';
import { enterSchema } from '../contract/missing-schema.ts';
import { readTexts } from '../contract/run-inner.ts';
import { createCancelled } from '../server/errors.ts';
import { readTls } from '../server/tls.ts';
import { requestCancel } from './cancel.ts';
import { hasNumber } from './errors.ts';
import { takeOver } from './internals.ts';
import { mysqlKind } from './kind.ts';
import { mysqlReadRules } from './read-rules.ts';
import { MysqlSession } from './session.ts';
import { type Account, signIn } from './sign-in.ts';
import { MysqlWire } from './wire.ts';

/** The server also says this of a missing database to users without a right in it. */
const NO_ACCESS = 1044;
const UNKNOWN_DATABASE = 1049;
const UNKNOWN_TIME_ZONE = 1298;
/** SQL modes in which the scanner would read strings differently, and modes that include these. */
const OTHER_LEXICAL_RULES = new Set(
  'ANSI_QUOTES NO_BACKSLASH_ESCAPES ANSI DB2 MAXDB MSSQL ORACLE POSTGRESQL'.split(' '),
);
/** Maximum time in seconds without a read from the client: as long as storing the rows elsewhere may take. */
const WRITE_TIMEOUT = 31_536_000;

const { quoteName, quoteText } = SQL_DIALECT.mysql;

/**
 * MySQL and MariaDB, with protocol 41. Options: those of `kind.ts`; overrides: `database` and `schema`, which mean the
 * same. The package `mysql2` signs in; after that, this driver reads and writes the bytes itself.
 */
export const mysqlDriver: Driver = {
  readRules: mysqlReadRules,
  async connect(spec, signal) {
    if (signal.aborted) throw createCancelled();
    const options = resolveOptions(mysqlKind, spec);
    const schema = readSchema(spec);
    const account = await readAccount(options, schema);
    const [connection, used] = await signInAnyway(account, signal);
    const { stream, isExtended } = takeOver(connection);
    const timeZone = readTimeZone(options);
    const session = new MysqlSession({
      wire: new MysqlWire(stream),
      isExtended,
      state: { inTransaction: false, autocommit: true, schema: used, timeZone },
      requestCancel: (what) => requestCancel(account, what, connection.threadId),
    });
    try {
      await settle(session, timeZone, signal);
      if (schema !== null && schema !== used) await useSchema(spec, session, schema, signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  close: async () => {},
};

/** Signs in without the database of the connection if it does not exist. */
async function signInAnyway(
  account: Account,
  signal: AbortSignal,
): Promise<readonly [connection: Awaited<ReturnType<typeof signIn>>, used: string | null]> {
  try {
    return [await signIn(account, signal), account.database];
  } catch (error) {
    if (!hasNumber(error, UNKNOWN_DATABASE)) throw error;
    return [await signIn({ ...account, database: null }, signal), null];
  }
}

async function useSchema(
  spec: ConnectionSpec,
  session: MysqlSession,
  schema: string,
  signal: AbortSignal,
): Promise<void> {
  await enterSchema(spec, {
    schema,
    use: () => session.run(`USE ${quoteName(schema)}`, signal),
    isMissing: (error) => hasNumber(error, UNKNOWN_DATABASE) || hasNumber(error, NO_ACCESS),
    create: () => session.run(`CREATE DATABASE IF NOT EXISTS ${quoteName(schema)}`, signal),
  });
}

async function readAccount(options: Options, schema: string | null): Promise<Account> {
  return {
    host: getOption(options, 'host'),
    port: Number(getOption(options, 'port')),
    user: getOption(options, 'user'),
    password: options.password ?? '',
    database: schema === options.database ? schema : null,
    tls: await readTls(options),
    patience: Number(getOption(options, 'connect_timeout')) * 1000,
  };
}

/** The requested database, under either name, else that of the connection. */
function readSchema({ options, overrides }: ConnectionSpec): string | null {
  const { database, schema = database } = overrides;
  if (database !== undefined && schema !== database) {
    const message = `A schema is a database in MySQL: "${database}" and "${schema}" cannot both be the current one.`;
    throw new DatabaseError('sql', message);
  }
  return schema ?? options.database ?? null;
}

/** The time zone of sessions; a server may lack time zone names, but supports offsets. */
function readTimeZone(options: Options): string {
  const timeZone = getOption(options, 'time_zone');
  return /^(?:etc\/)?utc$/i.test(timeZone) ? '+00:00' : timeZone;
}

/** Sets the session variables that the decoders and the scanner rely on. */
async function settle(session: MysqlSession, timeZone: string, signal: AbortSignal): Promise<void> {
  const result = await session.run('SELECT @@sql_mode, CONCAT(@@max_allowed_packet)', signal);
  const [[mode, maxBytes] = []] = await readTexts(result);
  session.limit(Number(maxBytes));
  const modes = mode!.split(',').filter((name) => !OTHER_LEXICAL_RULES.has(name));
  const settings = {
    sql_mode: modes.join(','),
    net_write_timeout: String(WRITE_TIMEOUT),
    time_zone: timeZone,
  };
  const all = Object.entries(settings).map(([name, value]) => `${name} = ${printSetting(value)}`);
  try {
    await session.run(`SET NAMES utf8mb4, ${all.join(', ')}`, signal);
  } catch (error) {
    if (!hasNumber(error, UNKNOWN_TIME_ZONE)) throw error;
    const message = `The server does not know the time zone ${timeZone}: load its tables (mysql_tzinfo_to_sql), or set time_zone to an offset such as +02:00.`;
    throw new DatabaseError('sql', message, undefined, { cause: error });
  }
}

function printSetting(value: string): string {
  return /^\d+$/.test(value) ? value : quoteText(value);
}
