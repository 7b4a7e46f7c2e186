import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { createServer } from 'node:tls';
import { findPort } from '../find-port.ts';
import { waitUntil } from '../waiting.ts';
import { createSigningCertificate, type TlsFiles } from './certificates.ts';
import { fetchHttps } from './https.ts';
import type { ProviderServer, ProviderUser } from './provider.ts';
import { spawnGroup } from './spawn-group.ts';

/** The folder in which Debian installs SimpleSAMLphp. */
const INSTALLED = '/usr/share/simplesamlphp';
const PHP = '/usr/bin/php';

/** Debian's library that changes the time for a process; `null` if it is missing. */
const LIBFAKETIME =
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file)) ?? null;
export const canSetClock = LIBFAKETIME !== null;

/** Whether SimpleSAMLphp is installed. */
export const hasSimplesamlphp = existsSync(path.join(INSTALLED, 'www')) && existsSync(PHP);

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
/** The password of every user. */
const PASSWORD = 'a wheel and a stone';

/** SimpleSAMLphp for the tests. */
export interface Simplesamlphp extends ProviderServer {
  /** Sets how many seconds its clock is ahead, if `canSetClock`. */
  setClock(seconds: number): void;
}

/** Starts SimpleSAMLphp in PHP's development server, behind TLS. `folder` stores its files. */
export async function startSimplesamlphp(folder: string, tls: TlsFiles): Promise<Simplesamlphp> {
  const home = path.join(folder, 'simplesamlphp');
  for (const name of ['metadata', 'cert', 'sessions', 'temporary']) {
    mkdirSync(path.join(home, name), { recursive: true });
  }
  const [port, inner] = [await findPort(), await findPort()];
  const url = `https://127.0.0.1:${port}`;
  const users = new Map<string, ProviderUser>();
  const keys = [await createKey(home)];
  const write = () => {
    writePhp(home, 'authsources', 'config', toSources(users));
    writePhp(home, 'metadata/saml20-idp-hosted', 'metadata', {
      [`${url}/entity`]: { ...HOSTED, ...toKeys(keys) },
    });
  };
  writePhp(home, 'config', 'config', toConfiguration(home, url));
  writePhp(home, 'metadata/saml20-sp-remote', 'metadata', {});
  write();
  const clock = path.join(home, 'clock');
  const setClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  setClock(0);
  const stopFront = await startFront(port, inner, tls);
  const php = await startPhp(home, inner);
  const metadataUrl = `${url}/saml2/idp/metadata.php`;
  return {
    url,
    metadataUrl,
    readMetadata: async () => (await fetchHttps(metadataUrl, tls.authority)).text,
    async register(metadata) {
      const parsed = parseServiceProvider(home, metadata);
      writePhp(home, 'metadata/saml20-sp-remote', 'metadata', {
        [parsed.entityid]: { ...parsed, ...REMOTE },
      });
    },
    async setUser(name, user) {
      users.set(name, user);
      write();
    },
    async signIn(page, name) {
      await page.locator('#username').fill(name);
      await page.locator('#password').fill(PASSWORD);
      await page.locator('#password').press('Enter');
    },
    waitForForm: (page) => page.locator('#password').waitFor(),
    async signOut(page) {
      const end = new URLSearchParams({ ReturnTo: `${url}/` });
      await page.goto(`${url}/saml2/idp/SingleLogoutService.php?${end}`);
    },
    async announceKey() {
      keys.push(await createKey(home));
      write();
    },
    async switchKey() {
      if (keys.length === 1) keys.push(await createKey(home));
      keys.shift();
      write();
    },
    log: php.log,
    setClock,
    async stop() {
      stopFront();
      await php.stop();
    },
  };
}

interface KeyFiles {
  readonly privatekey: string;
  readonly certificate: string;
}

async function createKey(home: string): Promise<KeyFiles> {
  const name = randomUUID();
  const { certificate, key } = await createSigningCertificate('SimpleSAMLphp');
  writeFileSync(path.join(home, 'cert', `${name}.pem`), certificate);
  writeFileSync(path.join(home, 'cert', `${name}.key`), key);
  return { privatekey: `${name}.key`, certificate: `${name}.pem` };
}

function toKeys([signing, announced]: readonly KeyFiles[]): object {
  const next = { new_privatekey: announced?.privatekey, new_certificate: announced?.certificate };
  return { ...signing, ...(announced === undefined ? {} : next) };
}

const HOSTED = {
  host: '__DEFAULT__',
  auth: 'people',
  'signature.algorithm': RSA_SHA256,
  'sign.logout': true,
  NameIDFormat: EMAIL_FORMAT,
  SingleSignOnServiceBinding: toBindings('HTTP-Redirect', 'HTTP-POST'),
  SingleLogoutServiceBinding: toBindings('HTTP-Redirect', 'HTTP-POST'),
  authproc: { 3: { class: 'saml:AttributeNameID', attribute: 'email', Format: EMAIL_FORMAT } },
};

/** The settings that its administrators make for a service provider, in addition to its metadata. */
const REMOTE = { NameIDFormat: EMAIL_FORMAT, 'validate.authnrequest': true, 'validate.logout': true };

function toBindings(...names: readonly string[]): readonly string[] {
  return names.map((name) => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`);
}

function toConfiguration(home: string, url: string): Readonly<Record<string, unknown>> {
  return {
    baseurlpath: `${url}/`,
    certdir: path.join(home, 'cert/'),
    tempdir: path.join(home, 'temporary/'),
    datadir: path.join(home, 'temporary/'),
    metadatadir: path.join(home, 'metadata/'),
    attributenamemapdir: '/etc/simplesamlphp/attributemap/',
    secretsalt: 'salt of the tests',
    'auth.adminpassword': PASSWORD,
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true, core: true, saml: true },
    'session.cookie.secure': true,
    'session.phpsession.savepath': path.join(home, 'sessions'),
    'store.type': 'phpsession',
    'logging.handler': 'stderr',
    'logging.level': 6,
    timezone: 'UTC',
  };
}

function toSources(users: ReadonlyMap<string, ProviderUser>): Readonly<Record<string, unknown>> {
  const people = [...users].map(([username, user]) => [
    `${username}:${PASSWORD}`,
    { username, ...toAttributes(user) },
  ]);
  return { people: { 0: 'exampleauth:UserPass', ...Object.fromEntries(people) } };
}

function toAttributes({ otherEmail, ...user }: ProviderUser): object {
  return otherEmail === undefined ? user : { ...user, email: [user.email, otherEmail] };
}

/** A PHP file that reads a value from JSON, so that no value needs PHP's quotes. */
function writePhp(home: string, name: string, variable: string, value: unknown): void {
  const file = path.join(home, name);
  writeFileSync(`${file}.json`, JSON.stringify(value));
  if (existsSync(`${file}.php`)) return;
  const json = `__DIR__ . '/${path.basename(name)}.json'`;
  writeFileSync(`${file}.php`, `<?php\n$${variable} = json_decode(file_get_contents(${json}), true);\n`);
}

/** The metadata of a service provider as SimpleSAMLphp itself reads them. */
function parseServiceProvider(home: string, metadata: string): { readonly entityid: string } {
  const code = `require '${INSTALLED}/lib/_autoload.php';
    $parser = \\SimpleSAML\\Metadata\\SAMLParser::parseString(stream_get_contents(STDIN));
    echo json_encode($parser->getMetadata20SP());`;
  const options = {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: home },
    input: metadata,
    encoding: 'utf8',
  } as const;
  return JSON.parse(execFileSync(PHP, ['-r', code], options));
}

/** Starts PHP's development server. */
async function startPhp(home: string, port: number): Promise<{ log(): string; stop(): Promise<void> }> {
  const router = path.join(home, 'router.php');
  writeFileSync(router, ROUTER);
  const args = ['-S', `127.0.0.1:${port}`, '-t', path.join(INSTALLED, 'www'), router];
  const { child, stop } = spawnGroup(PHP, args, {
    SIMPLESAMLPHP_CONFIG_DIR: home,
    PHP_CLI_SERVER_WORKERS: '3',
    ...(LIBFAKETIME && {
      LD_PRELOAD: LIBFAKETIME,
      FAKETIME_TIMESTAMP_FILE: path.join(home, 'clock'),
      FAKETIME_NO_CACHE: '1',
    }),
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await waitUntil(() => {
    if (child.signalCode !== null) throw new Error(`PHP does not start: ${log}`);
    return log.includes('started');
  });
  return { log: () => log, stop };
}

/** PHP's development server reads a path with a point in it as a file. */
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (!str_starts_with($path, '/module.php/')) return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/module.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/module.php';
$_SERVER['PATH_INFO'] = substr($path, strlen('/module.php'));
chdir($_SERVER['DOCUMENT_ROOT']);
require $_SERVER['SCRIPT_FILENAME'];
`;

/** Puts TLS in front of a server without it; returns a function that ends it. */
async function startFront(port: number, inner: number, tls: TlsFiles): Promise<() => void> {
  const open = new Set<Socket>();
  const server = createServer(
    { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) },
    (outer) => {
      const socket = connect(inner, '127.0.0.1');
      for (const end of [outer, socket]) {
        open.add(end);
        end.on('error', () => undefined).on('close', () => open.delete(end));
      }
      outer.pipe(socket).pipe(outer);
    },
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
}
