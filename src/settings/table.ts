// All settings in one table: the file, the environment, the command line and the documentation read it. The order of
// precedence is in `read-settings.ts`.

import { availableParallelism } from 'node:os';
import { DEFAULT_ROLES } from '../identity/principal/roles.ts';
import { readDisk, readMemory } from './amounts.ts';
import { asIs, between, checkHost, oneOf, oneOfRoles, toNetworks, toOrigin, toPath } from './checks.ts';
import {
  COUNT,
  createOptionalSetting,
  createSetting,
  FLAG,
  LIST,
  nameOf,
  TEXT_SETTING,
  tableOf,
} from './setting.ts';

const DAY = 86_400;
/** Each running statement needs a thread, and there are at most 1,024 threads. */
const MAX_RUNNING = 1_000;
const MAX_WAITING = 10_000;

/**
 * Every setting. `config.toml`, the environment, the options of `quern serve`, `quern config` and the documentation
 * use this table. No other file of src contains the key, variable or option of a setting.
 */
export const SETTINGS = {
  home: createOptionalSetting(TEXT_SETTING, {
    key: 'home',
    variable: 'QUERN_HOME',
    flag: '--home <dir>',
    text: 'the home, or the folder that contains .quern',
    range: 'a folder',
    shownDefault: 'the nearest .quern, ~/.quern',
    read: asIs,
  }),
  host: createSetting(TEXT_SETTING, '127.0.0.1', {
    key: 'server.host',
    variable: 'QUERN_HOST',
    flag: '--host <address>',
    text: 'address to listen on; 0.0.0.0 or :: listens on all addresses',
    range: 'an address, or a name, whose first address counts',
    read: checkHost,
  }),
  port: createSetting(COUNT, 8080, {
    key: 'server.port',
    variable: 'QUERN_PORT',
    flag: '--port <port>',
    text: 'port to listen on; 0 selects a free port',
    ...between(0, 65_535, { refuse: (port) => `port ${port}: use 1 to 65535` }),
  }),
  baseUrl: createOptionalSetting(TEXT_SETTING, {
    key: 'server.base_url',
    variable: 'QUERN_BASE_URL',
    flag: '--base-url <url>',
    text: 'public address of the instance',
    range: 'an http or https URL without a path',
    read: toOrigin,
  }),
  tlsCert: createOptionalSetting(TEXT_SETTING, {
    key: 'server.tls_cert',
    variable: 'QUERN_TLS_CERT',
    flag: '--tls-cert <file>',
    text: 'certificate chain, PEM; reloaded when it changes',
    range: 'a file; in config.toml relative to the home',
    read: toPath,
  }),
  tlsKey: createOptionalSetting(TEXT_SETTING, {
    key: 'server.tls_key',
    variable: 'QUERN_TLS_KEY',
    flag: '--tls-key <file>',
    text: 'private key of the certificate, PEM',
    range: 'a file; in config.toml relative to the home',
    read: toPath,
  }),
  trustProxy: createSetting(LIST, [], {
    key: 'server.trust_proxy',
    variable: 'QUERN_TRUST_PROXY',
    flag: '--trust-proxy <address>',
    text: 'trusted proxy or network: the server uses its X-Forwarded-For',
    range: 'a list of addresses and networks, such as 10.0.0.0/8',
    shownDefault: 'none',
    read: toNetworks,
  }),
  rateLimit: createSetting(COUNT, 0, {
    key: 'server.rate_limit',
    variable: 'QUERN_RATE_LIMIT',
    flag: '--rate-limit <count>',
    text: 'maximum number of requests of a token in a minute; 0 for no limit',
    read: asIs,
  }),
  limitLoopback: createSetting(FLAG, false, {
    key: 'server.limit_loopback',
    text: 'whether limits of invalid tokens and connections also apply to this machine',
    read: asIs,
  }),
  maxConnections: createSetting(COUNT, 1_000, {
    key: 'server.max_connections',
    variable: 'QUERN_MAX_CONNECTIONS',
    text: 'maximum number of open connections; 0 for no limit',
    read: asIs,
  }),
  // A quarter of all connections, because an office can have one address.
  maxConnectionsPerAddress: createSetting(COUNT, 250, {
    key: 'server.max_connections_per_address',
    variable: 'QUERN_MAX_CONNECTIONS_PER_ADDRESS',
    text: 'maximum number of open connections of one address; 0 for no limit',
    read: asIs,
  }),
  logLevel: createSetting(TEXT_SETTING, 'info', {
    key: 'server.log_level',
    variable: 'QUERN_LOG_LEVEL',
    flag: '--log-level <level>',
    text: 'minimum level of log messages: fatal, error, warn, info, debug, trace, or silent for no messages',
    ...oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'log level'),
  }),
  stopGrace: createSetting(COUNT, 30, {
    key: 'server.stop_grace',
    text: 'how long requests may continue when the server stops',
    ...between(0, DAY, {
      unit: ' seconds',
      refuse: (seconds, name) => `${name} is ${seconds} seconds: at most ${DAY}`,
    }),
  }),
  queryLog: createSetting(TEXT_SETTING, 'hash', {
    key: 'server.query_log',
    text: 'what the query log records of a statement: its hash, also its text, or nothing',
    ...oneOf(['hash', 'text', 'off']),
  }),
  queryLogDays: createSetting(COUNT, 30, {
    key: 'server.query_log_days',
    text: 'number of days for which the query log keeps entries',
    // Ten years.
    ...between(1, 3_650, { refuse: (days, name) => `${name} is ${days}: it must be between 1 and 3650` }),
  }),
  execTimeout: createSetting(COUNT, 300, {
    key: 'server.exec_timeout',
    variable: 'QUERN_EXEC_TIMEOUT',
    flag: '--exec-timeout <seconds>',
    text: 'time limit of a query, if its connection sets no other',
    ...between(1, DAY, { unit: ' seconds' }),
  }),
  execResultTtl: createSetting(COUNT, 3_600, {
    key: 'server.exec_result_ttl',
    variable: 'QUERN_EXEC_RESULT_TTL',
    text: 'how long the results of asynchronous executions are kept',
    ...between(1, 7 * DAY, { unit: ' seconds' }),
  }),
  // Waiting for clients, disks and other databases leaves processors unused, so more statements than processors may
  // run.
  execRunning: createSetting(COUNT, Math.max(16, 4 * availableParallelism()), {
    key: 'server.exec_running',
    variable: 'QUERN_EXEC_RUNNING',
    text: 'maximum number of running queries',
    shownDefault: 'four times the processors, at least 16',
    ...between(1, MAX_RUNNING),
  }),
  execQueued: createSetting(COUNT, 100, {
    key: 'server.exec_queued',
    variable: 'QUERN_EXEC_QUEUED',
    text: 'maximum number of queued queries; for one user a quarter of it',
    ...between(0, MAX_WAITING),
  }),
  execPerUser: createSetting(COUNT, 10, {
    key: 'server.exec_per_user',
    variable: 'QUERN_EXEC_PER_USER',
    text: 'maximum number of running queries of one user',
    ...between(1, MAX_RUNNING),
  }),
  execSqlSize: createSetting(COUNT, 1, {
    key: 'server.exec_sql_size',
    variable: 'QUERN_EXEC_SQL_SIZE',
    text: 'maximum size of SQL that is not in a script, in megabytes',
    ...between(1, 15, { unit: ' MB' }),
  }),
  execMemory: createSetting(TEXT_SETTING, '50%', {
    key: 'server.exec_memory',
    variable: 'QUERN_EXEC_MEMORY',
    flag: '--exec-memory <amount>',
    text: 'memory of each DuckDB database: 4GB, 512MiB, or a percentage of all memory',
    range: '64MiB to 80% of the memory',
    read: readMemory,
  }),
  execDisk: createSetting(TEXT_SETTING, '50%', {
    key: 'server.exec_disk',
    variable: 'QUERN_EXEC_DISK',
    flag: '--exec-disk <amount>',
    text: "disk space of each DuckDB database, and of a user's published files: 20GB, 512MiB, or a percentage of the free space",
    range: '16MiB or more, or a part up to 100%',
    read: readDisk,
  }),
  catalogHistory: createSetting(COUNT, 100, {
    key: 'catalog.history',
    text: 'former contents that each asset keeps; 0 for none',
    ...between(0, 1_000),
  }),
  catalogBinDays: createSetting(COUNT, 30, {
    key: 'catalog.bin_days',
    text: 'days that the bin keeps deleted items; 0 deletes them at once',
    ...between(0, 3_650),
  }),
  backupsKept: createSetting(COUNT, 5, {
    key: 'admin.backups_kept',
    variable: 'QUERN_ADMIN_BACKUPS_KEPT',
    text: 'maximum number of backups that a server keeps in the home',
    isReadOften: true,
    ...between(1, 1_000),
  }),
  semanticConnection: createOptionalSetting(TEXT_SETTING, {
    key: 'semantic.default_connection',
    variable: 'QUERN_SEMANTIC_DEFAULT_CONNECTION',
    text: 'default semantic connection',
    range: 'the name of a connection',
    shownDefault: 'the only one',
    read: asIs,
  }),
  uiScript: createOptionalSetting(TEXT_SETTING, {
    key: 'ui.script',
    text: 'script that quern ui opens and runs, if it names no other',
    range: 'the path of a script in the catalog',
    read: asIs,
  }),
  defaultRole: createSetting(TEXT_SETTING, 'EDITOR', {
    key: 'users.default_role',
    text: 'role of users without a known role',
    isCheckedInFile: true,
    ...oneOfRoles(DEFAULT_ROLES),
  }),
  bindSuperUsers: createSetting(FLAG, false, {
    key: 'saml.bind_super_users',
    text: 'whether the first sign-in links administrators by their e-mail address',
    isReadOften: true,
    read: asIs,
  }),
  masterKey: createOptionalSetting(TEXT_SETTING, {
    key: 'master_key',
    variable: 'QUERN_MASTER_KEY',
    text: 'master key that encrypts the secrets of the home',
    range: '32 bytes, as 64 hexadecimal digits or as 44 characters of base64',
    shownDefault: 'secret.key in the home',
    isSecret: true,
    countsEmpty: true,
    read: asIs,
  }),
  adminPassword: createOptionalSetting(TEXT_SETTING, {
    key: 'admin_password',
    variable: 'QUERN_ADMIN_PASSWORD',
    text: 'password of the administrator of a new home',
    isSecret: true,
    read: asIs,
  }),
  scimToken: createOptionalSetting(TEXT_SETTING, {
    key: 'scim_token',
    variable: 'QUERN_SCIM_TOKEN',
    text: 'token that quern doctor uses to check a SCIM interface',
    isSecret: true,
    read: asIs,
  }),
};

/** How to set the public address of the instance, which links and single sign-on need. */
export function printBaseUrlHint(): string {
  const { baseUrl } = SETTINGS;
  return `set \`${nameOf(baseUrl)}\` in the table \`[${tableOf(baseUrl)}]\` of config.toml, or ${baseUrl.variable}, to the address that browsers use, for example https://quern.example.org`;
}
