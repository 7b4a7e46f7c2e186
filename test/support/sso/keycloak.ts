import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findPort } from '../find-port.ts';
import type { TlsFiles } from './certificates.ts';
import { fetchHttps, sendHttps } from './https.ts';
import type { ProviderServer, ProviderUser } from './provider.ts';
import { type ProcessGroup, spawnGroup } from './spawn-group.ts';

/** The output of `test/keycloak/install.sh`. */
const INSTALLED = path.resolve(import.meta.dirname, '../../keycloak/.server');

/** Its database, with the realm and the administrator. */
const DATABASE = 'data/h2';

/** Whether Keycloak can be started. */
export const hasKeycloak =
  existsSync(path.join(INSTALLED, DATABASE)) && spawnSync('java', ['-version']).status === 0;

/** The realm and the administrator that `test/keycloak/install.sh` creates. */
const REALM = 'quern';
const ADMINISTRATOR = { username: 'root', password: 'root of the tests' };
/** The password of every user of the realm. */
const PASSWORD = 'a wheel and a stone';
const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

/** A running Keycloak with one realm. */
export interface Keycloak extends ProviderServer {
  /**
   * Sends a request below the administration of the realm, and returns the JSON or the id of the new object.
   */
  manage<T = unknown>(method: string, target: string, body?: unknown): Promise<T>;
  /** Replaces the certificate of the service provider (PEM). */
  setCertificate(pem: string): Promise<void>;
  /** Allows sign-ins to the service provider that start at Keycloak; returns the address where they start. */
  allowUnasked(): Promise<string>;
}

/** A service provider in Keycloak's representation. */
interface KeycloakClient {
  id?: string;
  clientId: string;
  attributes: Record<string, string>;
  protocolMappers: object[];
}

/** Starts Keycloak, in 5 to 20 seconds, or slower on a busy machine. `folder` stores its files. */
export async function startKeycloak(folder: string, tls: TlsFiles): Promise<Keycloak> {
  const port = await findPort();
  const url = `https://127.0.0.1:${port}`;
  const server = spawnGroup(path.join(makeHome(folder), 'bin/kc.sh'), toArgs(port, url, tls), {
    JAVA_OPTS_KC_HEAP: '-Xmx512m',
    JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC',
  });
  const log = await waitUntilListening(server);
  const realmUrl = `${url}/realms/${REALM}`;
  const metadataUrl = `${realmUrl}/protocol/saml/descriptor`;
  const send = makeManage(url, tls.authority);
  return {
    url,
    metadataUrl,
    readMetadata: async () => (await fetchHttps(metadataUrl, tls.authority)).text,
    manage: send,
    async setCertificate(pem) {
      await setAttribute(send, 'saml.signing.certificate', pem.replaceAll(/-----[^-]+-----|\s/g, ''));
    },
    async allowUnasked() {
      await setAttribute(send, 'saml_idp_initiated_sso_url_name', 'unasked');
      return `${realmUrl}/protocol/saml/clients/unasked`;
    },
    register: (metadata) => register(send, metadata),
    setUser: (name, user) => setUser(send, name, user),
    async signIn(page, name) {
      await page.locator('#username').fill(name);
      await page.locator('#password').fill(PASSWORD);
      await page.locator('#kc-login').click();
    },
    waitForForm: (page) => page.locator('#kc-login').waitFor(),
    async signOut(page) {
      await page.goto(`${realmUrl}/protocol/openid-connect/logout`);
      await page.locator('#kc-logout').click();
    },
    announceKey: () => addKey(send, PASSIVE),
    switchKey: () => switchKey(send),
    log,
    stop: server.stop,
  };
}

type Manage = Keycloak['manage'];

/** A key of lower priority than the realm's first one is in the metadata, and does not sign. */
const [PASSIVE, SIGNING] = [1, 1_000];

interface Component {
  readonly id: string;
  readonly name: string;
  readonly providerId: string;
  readonly config: Readonly<Record<string, readonly string[]>>;
}

async function addKey(send: Manage, priority: number): Promise<void> {
  await send('POST', '/components', {
    name: 'rsa of the tests',
    providerId: 'rsa-generated',
    providerType: KEY_PROVIDER,
    config: { priority: [String(priority)], algorithm: ['RS256'] },
  });
}

async function switchKey(send: Manage): Promise<void> {
  const before = await readKeys(send);
  const announced = before.find(({ config }) => config.priority?.[0] === String(PASSIVE));
  if (announced === undefined) {
    await addKey(send, SIGNING);
  } else {
    const config = { ...announced.config, priority: [String(SIGNING)] };
    await send('PUT', `/components/${announced.id}`, { ...announced, config });
  }
  for (const { id } of before) if (id !== announced?.id) await send('DELETE', `/components/${id}`);
}

async function readKeys(send: Manage): Promise<readonly Component[]> {
  const components = await send<Component[]>('GET', `/components?type=${KEY_PROVIDER}`);
  return components.filter(({ providerId }) => providerId === 'rsa-generated');
}

/** Imports the metadata, as its administrators do, and adds the attributes. */
async function register(send: Manage, metadata: string): Promise<void> {
  const client = await send<KeycloakClient>('POST', '/client-description-converter', metadata);
  const email = { saml_name_id_format: 'email', saml_force_name_id_format: 'true' };
  Object.assign(client.attributes, email);
  client.protocolMappers = [
    toProperty('username', 'username'),
    toProperty('firstName', 'firstName'),
    toProperty('lastName', 'lastName'),
    {
      name: 'groups',
      protocol: 'saml',
      protocolMapper: 'saml-group-membership-mapper',
      config: {
        'attribute.name': 'groups',
        'attribute.nameformat': 'Basic',
        single: 'false',
        'full.path': 'false',
      },
    },
  ];
  await send('POST', '/clients', client);
}

function toProperty(property: string, name: string): object {
  return {
    name,
    protocol: 'saml',
    protocolMapper: 'saml-user-property-mapper',
    config: { 'user.attribute': property, 'attribute.name': name, 'attribute.nameformat': 'Basic' },
  };
}

/** Changes the settings of the service provider. */
async function setAttribute(send: Manage, name: string, value: string): Promise<void> {
  const clients = await send<KeycloakClient[]>('GET', '/clients');
  const client = clients.find(({ clientId }) => clientId.startsWith('https://'));
  const attributes = { ...client?.attributes, [name]: value };
  await send('PUT', `/clients/${client?.id}`, { ...client, attributes });
}

async function setUser(
  send: Manage,
  username: string,
  { email, firstName, lastName, groups }: ProviderUser,
): Promise<void> {
  const [found] = await send<{ id: string }[]>('GET', `/users?exact=true&username=${username}`);
  const credentials = [{ type: 'password', value: PASSWORD, temporary: false }];
  const written = { username, enabled: true, emailVerified: true, credentials, email, firstName, lastName };
  const id = found?.id ?? (await send<string>('POST', '/users', written));
  if (found !== undefined) await send('PUT', `/users/${id}`, written);
  const before = await send<{ id: string; name: string }[]>('GET', `/users/${id}/groups`);
  for (const group of before)
    if (!groups.includes(group.name)) await send('DELETE', `/users/${id}/groups/${group.id}`);
  for (const group of groups) await send('PUT', `/users/${id}/groups/${await findGroup(send, group)}`);
}

async function findGroup(send: Manage, name: string): Promise<string> {
  const [found] = await send<{ id: string }[]>(
    'GET',
    `/groups?exact=true&search=${encodeURIComponent(name)}`,
  );
  return found?.id ?? send<string>('POST', '/groups', { name });
}

/** Its folder: files that it changes are copies, the others are links to the installation. */
function makeHome(folder: string): string {
  const home = path.join(folder, 'keycloak');
  for (const name of ['bin', 'conf', DATABASE])
    cpSync(path.join(INSTALLED, name), path.join(home, name), { recursive: true });
  for (const name of ['lib', 'providers', 'themes', 'version.txt']) {
    symlinkSync(path.join(INSTALLED, name), path.join(home, name));
  }
  return home;
}

function toArgs(port: number, url: string, { authority, certificate, key }: TlsFiles): readonly string[] {
  return [
    'start',
    '--optimized',
    '--cache=local',
    '--http-enabled=false',
    '--http-host=127.0.0.1',
    `--https-port=${port}`,
    `--hostname=${url}`,
    `--https-certificate-file=${certificate}`,
    `--https-certificate-key-file=${key}`,
    `--truststore-paths=${authority}`,
  ];
}

async function waitUntilListening({ child }: ProcessGroup): Promise<() => string> {
  let text = '';
  child.stderr.pipe(process.stderr);
  const { promise, resolve, reject } = Promise.withResolvers<() => string>();
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      text += `${line}\n`;
      if (line.includes('Listening on: https')) resolve(() => text);
    })
    .on('close', () => reject(new Error(`Keycloak does not start: ${text}`)));
  return promise;
}

/** Sends requests as its administrator. Keycloak hashes the password slowly: a token is used until it is refused. */
function makeManage(url: string, authority: string): Manage {
  let token = '';
  return async <T>(method: string, target: string, body?: unknown): Promise<T> => {
    const type = typeof body === 'string' ? 'application/xml' : 'application/json';
    const ask = () =>
      sendHttps(`${url}/admin/realms/${REALM}${target}`, authority, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    let answer = await ask();
    if (answer.status === 401) {
      token = await requestToken(url, authority);
      answer = await ask();
    }
    const { status, headers, text } = answer;
    if (status < 200 || status > 299) throw new Error(`${method} ${target}: ${status} ${text}`);
    return text === ''
      ? (String(headers.location ?? '')
          .split('/')
          .at(-1) as T)
      : JSON.parse(text);
  };
}

/** A new token of the administrator. */
async function requestToken(url: string, authority: string): Promise<string> {
  const { text } = await fetchHttps(`${url}/realms/master/protocol/openid-connect/token`, authority, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      ...ADMINISTRATOR,
    }).toString(),
  });
  return JSON.parse(text).access_token;
}
