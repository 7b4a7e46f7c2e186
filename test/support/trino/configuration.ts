import { generateKeyPairSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerOptions } from '../servers.ts';
import { createTlsFilesOfBoth, type TlsFiles } from '../sso/certificates.ts';

/** Of the user `quern`; it has a space and a letter outside ASCII. */
const PASSWORD = 'correct hörse';
const USER = 'quern';
const ITERATIONS = 1_000;
export const BUCKET = 'spooled';

export interface Ports {
  readonly http: number;
  readonly https: number;
  readonly storage: number;
}

/** What the files of a cluster tell its clients. */
export interface ClusterFiles {
  readonly user: string;
  readonly password: string;
  /** Signs the tokens that the server accepts: RS256, with the user as their subject (PEM). */
  readonly tokenKey: string;
  readonly authority: string;
  readonly client: { readonly certificate: string; readonly key: string };
}

export type Settings = Readonly<Record<string, string>>;

/**
 * Settings of all nodes for few rows: they make and run such plans with less work. A plan needs no statistics. It has few
 * stages, and no dynamic filters between them.
 */
export const FEW_ROWS: Settings = {
  'task.concurrency': '1',
  'query.max-hash-partition-count': '1',
  'query.min-hash-partition-count': '1',
  'distributed-sort': 'false',
  'redistribute-writes': 'false',
  'scale-writers': 'false',
  'task.scale-writers.enabled': 'false',
  'enable-dynamic-filtering': 'false',
  'enable-stats-calculator': 'false',
  'join-distribution-type': 'BROADCAST',
  'optimizer.join-reordering-strategy': 'NONE',
};

function write(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function writeSettings(file: string, settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  return write(file, lines.join(''));
}

/**
 * Writes what all nodes read in their working folder, and the settings of the coordinator into
 * `coordinator.properties`; `settings` are those of all nodes. Without workers, the coordinator runs the tasks of queries.
 */
export async function writeCluster(
  folder: string,
  installed: string,
  ports: Ports,
  postgresql: ServerOptions,
  { workers, settings }: { readonly workers: number; readonly settings: Settings },
): Promise<ClusterFiles> {
  const tls = await createTlsFilesOfBoth(folder, USER);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  writeCatalogs(folder, postgresql);
  writeSpooling(folder, ports.storage);
  writeQueues(folder);
  writeSettings(path.join(folder, 'common.properties'), {
    ...toCommon(path.join(installed, 'plugin'), ports.http),
    'protocol.spooling.enabled': 'true',
    'protocol.spooling.shared-secret-key': randomBytes(32).toString('base64'),
    ...settings,
  });
  writeNode(folder, 'coordinator', {
    coordinator: 'true',
    'node-scheduler.include-coordinator': String(workers === 0),
    'http-server.http.port': String(ports.http),
    'web-ui.enabled': 'false',
    ...QUERIES,
    ...toSignIn(folder, tls, write(path.join(folder, 'tokens.pem'), tokens), ports.https),
  });
  return {
    user: USER,
    password: PASSWORD,
    tokenKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    authority: tls.authority,
    client: tls.client,
  };
}

/**
 * Writes the settings of a coordinator that runs tasks, too, and of its workers; they load one plugin only, so that they
 * start fast.
 */
export function writePair(folder: string, installed: string, port: number): void {
  const plugins = path.join(folder, 'plugin');
  mkdirSync(plugins);
  symlinkSync(path.join(installed, 'plugin/tpch'), path.join(plugins, 'tpch'));
  writeSettings(path.join(folder, 'etc/catalog/tpch.properties'), TPCH);
  writeSettings(path.join(folder, 'common.properties'), {
    ...toCommon(plugins, port),
    ...LOSS,
  });
  writeNode(folder, 'coordinator', {
    coordinator: 'true',
    'node-scheduler.include-coordinator': 'true',
    'http-server.http.port': String(port),
    'web-ui.enabled': 'false',
  });
}

/** Writes the settings of a worker. */
export function writeWorker(folder: string, name: string, port: number): void {
  writeNode(folder, name, { coordinator: 'false', 'http-server.http.port': String(port) });
}

function writeNode(folder: string, name: string, settings: Settings): void {
  const common = readFileSync(path.join(folder, 'common.properties'), 'utf8');
  const file = writeSettings(path.join(folder, `${name}.properties`), { 'node.id': name, ...settings });
  writeFileSync(file, common, { flag: 'a' });
}

function toCommon(plugins: string, port: number): Settings {
  const secret = randomBytes(32).toString('base64');
  return {
    'node.environment': 'tests',
    'node.bind-ip': '127.0.0.1',
    'node.internal-address': '127.0.0.1',
    'node.external-address': '127.0.0.1',
    'plugin.dir': plugins,
    'discovery.uri': `http://127.0.0.1:${port}`,
    'internal-communication.shared-secret': secret,
  };
}

/** A lost worker ends its queries after 3 seconds instead of a minute. */
const LOSS: Settings = {
  'exchange.max-error-duration': '3s',
  'query.remote-task.max-error-duration': '3s',
};

const TPCH: Settings = { 'connector.name': 'tpch' };

const QUERIES: Settings = {
  // So short that tests can be slower; a client must be slower than that only if it is meant to be.
  'query.client.timeout': '15s',
  // Otherwise the plans of a quarter of an hour fill the memory of the coordinator.
  'query.min-expire-age': '1m',
};

/** `tpch` cannot be written, `memory` has no MERGE, and `iceberg` has everything. */
function writeCatalogs(folder: string, postgresql: ServerOptions): void {
  const lake = path.join(folder, 'lake');
  mkdirSync(lake, { recursive: true });
  const catalogs: Readonly<Record<string, Settings>> = {
    tpch: TPCH,
    memory: {
      'connector.name': 'memory',
      'memory.max-data-per-node': '256MB',
      'memory.splits-per-node': '1',
    },
    postgresql: {
      'connector.name': 'postgresql',
      'connection-url': `jdbc:postgresql://${postgresql.host}:${postgresql.port}/${postgresql.database}`,
      'connection-user': postgresql.user,
      'connection-password': postgresql.password,
    },
    iceberg: {
      'connector.name': 'iceberg',
      'iceberg.catalog.type': 'TESTING_FILE_METASTORE',
      'iceberg.table-statistics-enabled': 'false',
      'iceberg.extended-statistics.collect-on-write': 'false',
      'hive.metastore.catalog.dir': 'local:///meta',
      'fs.native-local.enabled': 'true',
      'local.location': lake,
    },
  };
  for (const [name, settings] of Object.entries(catalogs)) {
    writeSettings(path.join(folder, 'etc/catalog', `${name}.properties`), settings);
  }
}

/** By password, JWT or client certificate over TLS; plain HTTP accepts everyone. */
function toSignIn(folder: string, tls: TlsFiles, tokens: string, port: number): Settings {
  write(path.join(folder, 'passwords'), toPasswordLine());
  writeSettings(path.join(folder, 'etc/password-authenticator.properties'), {
    'password-authenticator.name': 'file',
    'file.password-file': path.join(folder, 'passwords'),
  });
  const [certificate, key] = [readFileSync(tls.certificate, 'utf8'), readFileSync(tls.key, 'utf8')];
  return {
    'http-server.authentication.type': 'CERTIFICATE,PASSWORD,JWT',
    'http-server.authentication.allow-insecure-over-http': 'true',
    'http-server.authentication.certificate.user-mapping.pattern': 'CN=(.*)',
    'http-server.authentication.jwt.key-file': tokens,
    'http-server.https.enabled': 'true',
    'http-server.https.port': String(port),
    'http-server.https.keystore.path': write(path.join(folder, 'pair.pem'), `${certificate}\n${key}`),
    'http-server.https.truststore.path': tls.authority,
  };
}

/** PBKDF2 with HMAC-SHA1, as Trino reads it. */
function toPasswordLine(): string {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(PASSWORD, salt, ITERATIONS, 32, 'sha1');
  return `${USER}:${ITERATIONS}:${salt.toString('hex')}:${hash.toString('hex')}\n`;
}

/** Clients that use this tag run one query at a time; the others wait in a queue. */
export const ONE_AT_A_TIME = 'one-at-a-time';

function writeQueues(folder: string): void {
  const group = (name: string, hardConcurrencyLimit: number) => {
    return { name, hardConcurrencyLimit, maxQueued: 1_000, softMemoryLimit: '100%' };
  };
  const queues = {
    rootGroups: [group('single', 1), group('all', 100)],
    selectors: [{ clientTags: [ONE_AT_A_TIME], group: 'single' }, { group: 'all' }],
  };
  writeSettings(path.join(folder, 'etc/resource-groups.properties'), {
    'resource-groups.configuration-manager': 'file',
    'resource-groups.config-file': write(path.join(folder, 'queues.json'), JSON.stringify(queues)),
  });
}

function writeSpooling(folder: string, port: number): void {
  writeSettings(path.join(folder, 'etc/spooling-manager.properties'), {
    'spooling-manager.name': 'filesystem',
    'fs.s3.enabled': 'true',
    'fs.location': `s3://${BUCKET}/`,
    's3.endpoint': `http://127.0.0.1:${port}`,
    's3.region': 'us-east-1',
    's3.aws-access-key': 'tests',
    's3.aws-secret-key': 'secret of the tests',
    's3.path-style-access': 'true',
  });
}
