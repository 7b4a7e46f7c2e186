import { isIP } from 'node:net';
import path from 'node:path';
import type { ServerConfig } from '../../workspace/home/home-config.ts';
import type { CommandInput, OptionValue } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { type ExecOptions, readExecOptions } from './exec-options.ts';

/** How a server runs: nothing is left open any more. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly trustProxy: readonly string[];
  readonly rateLimit: number | null;
  readonly limitLoopback: boolean;
  readonly maxConnections: number | null;
  readonly maxConnectionsPerAddress: number | null;
  readonly logLevel: string;
  readonly stopGraceMs: number;
  /** Null: none is kept. */
  readonly queryLog: { readonly keepsTexts: boolean; readonly days: number } | null;
  readonly execution: ExecOptions;
}

/** A day, in seconds. */
const MAX_GRACE = 86_400;
/** Ten years. */
const MAX_DAYS = 3_650;

/** Where nothing is set: an office behind one address has a quarter of them. */
const MAX_CONNECTIONS = 1_000;
const MAX_CONNECTIONS_PER_ADDRESS = 250;

const QUERY_LOGS = ['hash', 'text', 'off'];

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** What `quern serve` runs with: its flags, else the environment, else the home's `config.toml`, else the default. */
export function readServeOptions(
  context: CliContext,
  options: CommandInput['options'],
  config: ServerConfig,
): ServeOptions {
  const text = (flag: OptionValue, variable: string, configured: string | undefined) =>
    typeof flag === 'string' ? flag : context.env[variable] || configured;
  const count = (flag: OptionValue, variable: string, configured: number | undefined) =>
    typeof flag === 'number' ? flag : (readCount(variable, context.env[variable]) ?? configured);
  const file = (name: string | undefined) =>
    name === undefined ? undefined : path.resolve(context.cwd, name);

  const { limitLoopback = false } = config;
  const logLevel = text(options.logLevel, 'QUERN_LOG_LEVEL', config.logLevel) ?? 'info';
  if (!LEVELS.includes(logLevel))
    throw new UsageError(`unknown log level ${logLevel}: it is one of ${LEVELS.join(', ')}`);
  return {
    host: checkHost(text(options.host, 'QUERN_HOST', config.host) ?? '127.0.0.1'),
    port: checkPort(count(options.port, 'QUERN_PORT', config.port) ?? 8080),
    baseUrl: checkBaseUrl(text(options.baseUrl, 'QUERN_BASE_URL', config.baseUrl)),
    tls: checkTls(
      file(text(options.tlsCert, 'QUERN_TLS_CERT', config.tlsCert)),
      file(text(options.tlsKey, 'QUERN_TLS_KEY', config.tlsKey)),
    ),
    trustProxy: readProxies(options.trustProxy, context.env.QUERN_TRUST_PROXY, config.trustProxy),
    rateLimit: count(options.rateLimit, 'QUERN_RATE_LIMIT', config.rateLimit) || null,
    limitLoopback,
    ...readConnectionLimits(count, config),
    logLevel,
    stopGraceMs: checkGrace(config.stopGrace ?? 30) * 1_000,
    queryLog: readQueryLog(config),
    execution: readExecOptions({ text, count }, options, config),
  };
}

/** Zero: any number. */
function readConnectionLimits(
  count: (flag: OptionValue, variable: string, configured: number | undefined) => number | undefined,
  { maxConnections, maxConnectionsPerAddress }: ServerConfig,
): Pick<ServeOptions, 'maxConnections' | 'maxConnectionsPerAddress'> {
  const all = count(undefined, 'QUERN_MAX_CONNECTIONS', maxConnections);
  const own = count(undefined, 'QUERN_MAX_CONNECTIONS_PER_ADDRESS', maxConnectionsPerAddress);
  return {
    maxConnections: (all ?? MAX_CONNECTIONS) || null,
    maxConnectionsPerAddress: (own ?? MAX_CONNECTIONS_PER_ADDRESS) || null,
  };
}

function readQueryLog({
  queryLog = 'hash',
  queryLogDays: days = 30,
}: ServerConfig): ServeOptions['queryLog'] {
  if (!QUERY_LOGS.includes(queryLog)) {
    throw new UsageError(`unknown query_log ${queryLog}: it is one of ${QUERY_LOGS.join(', ')}`);
  }
  if (days < 1 || days > MAX_DAYS) {
    throw new UsageError(`query_log_days is ${days}: it is between 1 and ${MAX_DAYS}`);
  }
  return queryLog === 'off' ? null : { keepsTexts: queryLog === 'text', days };
}

function readCount(variable: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${variable} must be a whole number, not ${text}`);
  return Number(text);
}

/** Without a host, a server would listen everywhere. */
function checkHost(host: string): string {
  if (host === '')
    throw new UsageError('--host is empty: give an address, or 0.0.0.0 for all of this machine');
  return host;
}

function checkGrace(seconds: number): number {
  if (seconds > MAX_GRACE) throw new UsageError(`stop_grace is ${seconds} seconds: at most ${MAX_GRACE}`);
  return seconds;
}

function checkPort(port: number): number {
  if (port > 65_535) throw new UsageError(`port ${port} does not exist: ports go up to 65535`);
  return port;
}

function checkBaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.pathname !== '/') {
    throw new UsageError(`${text} is no address of an instance: it looks like https://quern.example.org`);
  }
  return url.origin;
}

function checkTls(cert: string | undefined, key: string | undefined): ServeOptions['tls'] {
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new UsageError('TLS needs both --tls-cert and --tls-key');
  }
  return { cert, key };
}

function readProxies(
  flag: OptionValue,
  variable: string | undefined,
  configured: readonly string[] = [],
): readonly string[] {
  const given = typeof flag === 'object' ? flag : (variable || undefined)?.split(',');
  const proxies = (given ?? configured).flatMap((each) => each.split(',')).map((each) => each.trim());
  const wrong = proxies.find((each) => !isNetwork(each));
  if (wrong === undefined) return proxies;
  throw new UsageError(`${wrong} is no address of a proxy: it looks like 10.0.0.7 or 10.0.0.0/8`);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
