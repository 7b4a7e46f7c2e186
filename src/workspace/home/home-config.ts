import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readToml, type TomlReading } from '../../engine/project/read-toml.ts';
import { type Field, getField, type TomlFields } from '../../engine/project/toml-fields.ts';
import { suggest } from '../../engine/text/suggest.ts';
import { HomeError } from '../../errors/home-error.ts';
import { DEFAULT_ROLES, type DefaultRole } from '../../identity/principal/roles.ts';
import { elementAt } from '../../invariants/must.ts';
import { codeOf, toError } from '../../invariants/narrow.ts';

/** What a home's `config.toml` says. */
export interface HomeConfig {
  readonly server: ServerConfig;
  readonly semantic: {
    /** The semantic connection that is asked where none is named (semantic 1). */
    readonly defaultConnection?: string | undefined;
  };
  readonly users: {
    /** What users without a known role may do (identity 2). */
    readonly defaultRole?: DefaultRole | undefined;
  };
  readonly saml: {
    /** Whether the first sign-in links administrators by their e-mail address; they do unless this is false (identity 4). */
    readonly bindSuperUsers?: boolean | undefined;
  };
}

/** What the table `[server]` says; what it leaves out is undefined. */
export interface ServerConfig {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly baseUrl?: string | undefined;
  /** Files, with their full paths. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly trustProxy?: readonly string[] | undefined;
  readonly rateLimit?: number | undefined;
  readonly limitLoopback?: boolean | undefined;
  readonly maxConnections?: number | undefined;
  readonly maxConnectionsPerAddress?: number | undefined;
  readonly logLevel?: string | undefined;
  readonly stopGrace?: number | undefined;
  readonly queryLog?: string | undefined;
  readonly queryLogDays?: number | undefined;
  /** Seconds. */
  readonly execTimeout?: number | undefined;
  readonly execResultTtl?: number | undefined;
  readonly execRunning?: number | undefined;
  readonly execQueued?: number | undefined;
  readonly execPerUser?: number | undefined;
  readonly execMemory?: string | undefined;
  readonly execDisk?: string | undefined;
}

const FILE = 'config.toml';

/**
 * Reads a home's `config.toml`, which may be missing: its settings, or all that is wrong with it. Throws HomeError
 * `unreadable`.
 */
export function readHomeConfig(home: string): TomlReading<HomeConfig> {
  const file = path.join(home, FILE);
  const text = readIfThere(file);
  if (text === undefined) return { value: { server: {}, semantic: {}, users: {}, saml: {} }, warnings: [] };
  return readToml({ name: file, text }, (fields, root) => {
    checkKeys(fields, root, TABLES, 'table');
    const server = getField(root, 'server');
    checkKeys(fields, server, KEYS, 'setting');
    const semantic = getField(root, 'semantic');
    checkKeys(fields, semantic, SEMANTIC_KEYS, 'setting');
    const defaultConnection = fields.text(getField(semantic, SEMANTIC_KEYS[0]));
    const users = getField(root, 'users');
    checkKeys(fields, users, USERS_KEYS, 'setting');
    const defaultRole = readRole(fields, getField(users, USERS_KEYS[0]));
    const saml = getField(root, 'saml');
    checkKeys(fields, saml, SAML_KEYS, 'setting');
    const bindSuperUsers = fields.flag(getField(saml, SAML_KEYS[0]));
    return {
      server: toConfig(fields, server, home),
      semantic: { defaultConnection },
      users: { defaultRole },
      saml: { bindSuperUsers },
    };
  });
}

/** The settings of a home. Throws HomeError `unreadable`, with the first fault of those that have any. */
export function getHomeConfig(home: string): HomeConfig {
  const { value, faults } = readHomeConfig(home);
  if (faults === undefined) return value;
  const { file, line, column, message } = elementAt(faults, 0);
  throw new HomeError('unreadable', `${file}:${line}:${column}: ${message}`);
}

function readRole(fields: TomlFields, field: Field): DefaultRole | undefined {
  const name = fields.text(field);
  const role = DEFAULT_ROLES.find((own) => own === name?.toUpperCase());
  if (name !== undefined && role === undefined) {
    fields.refuse(
      field.path,
      `\`${field.path.join('.')}\` must be ${DEFAULT_ROLES.join(' or ')}, not \`${name}\``,
    );
  }
  return role;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new HomeError('unreadable', `${file} cannot be read: ${toError(error).message}`, {
      cause: error,
    });
  }
}

const TABLES = ['server', 'semantic', 'users', 'saml'];
const SEMANTIC_KEYS = ['default_connection'] as const;
const USERS_KEYS = ['default_role'] as const;
const SAML_KEYS = ['bind_super_users'] as const;

const KEYS = [
  'host',
  'port',
  'base_url',
  'tls_cert',
  'tls_key',
  'trust_proxy',
  'rate_limit',
  'limit_loopback',
  'max_connections',
  'max_connections_per_address',
  'log_level',
  'stop_grace',
  'query_log',
  'query_log_days',
  'exec_timeout',
  'exec_result_ttl',
  'exec_running',
  'exec_queued',
  'exec_per_user',
  'exec_memory',
  'exec_disk',
] as const;

/** A key that is misspelt would leave a door open without a word. */
function checkKeys(fields: TomlFields, table: Field, known: readonly string[], noun: string): void {
  for (const { path: keys } of fields.table(table)) {
    const key = elementAt(keys, -1);
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
    fields.refuse(keys, `there is no ${noun} \`${key}\`${hint}`);
  }
}

function toConfig(fields: TomlFields, server: Field, home: string): ServerConfig {
  const field = (key: (typeof KEYS)[number]) => getField(server, key);
  const file = (key: (typeof KEYS)[number]) => {
    const name = fields.text(field(key));
    return name === undefined ? undefined : path.resolve(home, name);
  };
  return {
    host: fields.text(field('host')),
    port: fields.count(field('port')),
    baseUrl: fields.text(field('base_url')),
    tlsCert: file('tls_cert'),
    tlsKey: file('tls_key'),
    trustProxy: fields.texts(field('trust_proxy')),
    rateLimit: fields.count(field('rate_limit')),
    limitLoopback: fields.flag(field('limit_loopback')),
    maxConnections: fields.count(field('max_connections')),
    maxConnectionsPerAddress: fields.count(field('max_connections_per_address')),
    logLevel: fields.text(field('log_level')),
    stopGrace: fields.count(field('stop_grace')),
    queryLog: fields.text(field('query_log')),
    queryLogDays: fields.count(field('query_log_days')),
    execTimeout: fields.count(field('exec_timeout')),
    execResultTtl: fields.count(field('exec_result_ttl')),
    execRunning: fields.count(field('exec_running')),
    execQueued: fields.count(field('exec_queued')),
    execPerUser: fields.count(field('exec_per_user')),
    execMemory: fields.text(field('exec_memory')),
    execDisk: fields.text(field('exec_disk')),
  };
}
