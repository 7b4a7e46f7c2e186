import { randomUUID } from 'node:crypto';
import { elementAt } from '../../invariants/must.ts';
import { codeOf, isRecord, toError } from '../../invariants/narrow.ts';
import { flagOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { Finding } from '../../workspace/setup/check-home.ts';
import { UsageError } from '../context/errors.ts';
import { printQuantity } from '../context/print-quantity.ts';

const ROOT = '/api/v1/scim/v2';
const PATIENCE_MS = 10_000;
/** The account of the token, from the root of SCIM. */
const OWN_ACCOUNT = '/../../me';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const SCHEMAS = ['core:2.0:User', 'core:2.0:Group', 'extension:enterprise:2.0:User'];

/** The access of an identity provider to a server. */
export interface ScimEndpoint {
  /** The address of the server, or of its SCIM root. */
  readonly url: string;
  readonly token: string;
  /** Whether the check may create, change and delete a user and a group. */
  readonly mayWrite: boolean;
  readonly signal: AbortSignal;
}

interface ScimResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Ask = (
  method: string,
  path: string,
  sending?: { token?: string | null; body?: unknown },
) => Promise<ScimResponse>;

/**
 * Sends the requests of an identity provider's setup (docs/reference/scim.md#routes), and returns the results. Skips
 * checks that depend on a failed one. Throws a UsageError for an invalid address.
 */
export async function checkScim(endpoint: ScimEndpoint): Promise<readonly Finding[]> {
  const root = toRoot(endpoint.url);
  const ask = createAsk(root, endpoint);
  const findings = [await look('address', () => checkAddress(root, ask))];
  if (!elementAt(findings, 0).ok) return findings;
  findings.push(await look('token', () => checkToken(ask)));
  if (!elementAt(findings, 1).ok) return findings;
  findings.push(
    await look('schemas', () => checkSchemas(ask)),
    await look('users', () => checkList(ask, 'Users')),
    await look('groups', () => checkList(ask, 'Groups')),
    await look('filter', () => checkFilter(ask)),
    await look('locations', () => checkLocations(root, ask)),
  );
  if (endpoint.mayWrite) findings.push(await look('provisioning', () => provision(ask)));
  return findings;
}

function toRoot(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--scim ${text}: expected the address of a server, for example https://quern.example.com`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return new URL(path.endsWith('/scim/v2') ? path : `${path}${ROOT}`, url);
}

/** Ctrl-C aborts reading requests; writing requests continue, so that the check deletes what it created. */
function createAsk(root: URL, { token: defaultToken, signal }: ScimEndpoint): Ask {
  return async (method, path, { token = defaultToken, body } = {}) => {
    const late = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${root.href}${path}`, {
      method,
      redirect: 'manual',
      signal: method === 'GET' ? AbortSignal.any([signal, late]) : late,
      headers: {
        accept: 'application/scim+json, application/json;q=0.5',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
    return { status: response.status, type, body: toObject(await response.text()) };
  };
}

function toObject(text: string): ScimResponse['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

async function look(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, seen: await check() };
  } catch (error) {
    return { name, ok: false, seen: describe(error) };
  }
}

/** A network error is in the cause; an error for several addresses has a code but no message. */
function describe(error: unknown): string {
  const { message, cause } = toError(error);
  if (!(cause instanceof Error)) return message;
  return `${message}: ${cause.message || codeOf(cause)}`;
}

function expectStatus({ status, body }: ScimResponse, wanted: number, what: string): void {
  if (status === wanted) return;
  const detail = typeof body.detail === 'string' ? `: ${body.detail}` : '';
  throw new Error(`${what}: expected status ${wanted}, got ${status}${detail}`);
}

async function checkAddress(root: URL, ask: Ask): Promise<string> {
  const answer = await ask('GET', '/ServiceProviderConfig', { token: null });
  if (!String(answer.body.schemas).startsWith(MESSAGES)) {
    throw new Error(`${root.href} is not a SCIM interface: it responds with ${answer.status} ${answer.type}`);
  }
  expectStatus(answer, 401, 'a request without a token');
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(root.hostname);
  if (root.protocol === 'http:' && !isLocal)
    throw new Error(`${root.href}: plain HTTP exposes tokens to others`);
  return root.href;
}

async function checkToken(ask: Ask): Promise<string> {
  const answer = await ask('GET', '/ServiceProviderConfig');
  if (answer.status === 403) throw new Error('the token belongs to a user who is not an administrator');
  expectStatus(answer, 200, 'the token');
  if (answer.type !== 'application/scim+json')
    throw new Error(`responses have the media type ${answer.type || '(none)'}`);
  const { token } = (await ask('GET', OWN_ACCOUNT)).body;
  if (!isRecord(token) || token.scope !== 'all') return 'accepted';
  return 'accepted, but its scope is all: a token of `quern token create --scope scim` cannot change administrators';
}

async function checkSchemas(ask: Ask): Promise<string> {
  const answer = await ask('GET', '/Schemas');
  expectStatus(answer, 200, '/Schemas');
  const ids = listResources(answer).map(({ id }) => String(id));
  const missing = SCHEMAS.filter((name) => !ids.includes(`urn:ietf:params:scim:schemas:${name}`));
  if (missing.length > 0) throw new Error(`missing schemas: ${missing.join(', ')}`);
  return `${ids.length} schemas`;
}

function listResources({ body }: ScimResponse): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body.Resources) ? body.Resources : [];
}

async function checkList(ask: Ask, kind: 'Users' | 'Groups'): Promise<string> {
  const answer = await ask('GET', `/${kind}?startIndex=1&count=1`);
  expectStatus(answer, 200, `/${kind}`);
  if (typeof answer.body.totalResults !== 'number') throw new Error('the list has no total count');
  return printQuantity(answer.body.totalResults, kind === 'Users' ? 'user' : 'group');
}

async function checkFilter(ask: Ask): Promise<string> {
  const filter = encodeURIComponent(`userName eq "${randomUUID()}"`);
  const answer = await ask('GET', `/Users?filter=${filter}`);
  expectStatus(answer, 200, 'a filter');
  if (answer.body.totalResults !== 0) throw new Error('a filter for an unused name finds a user');
  return 'finds users by name';
}

/** Behind a proxy, the server's public address must be configured. */
async function checkLocations(root: URL, ask: Ask): Promise<string> {
  const [user] = listResources(await ask('GET', '/Users?count=1'));
  const location = isRecord(user?.meta) ? user.meta.location : undefined;
  if (!String(location).startsWith(`${root.href}/Users/`)) {
    throw new Error(
      `the server reports users at ${location}: serve with ${flagOf(SETTINGS.baseUrl)} ${root.origin}`,
    );
  }
  return 'match the requested address';
}

/** Creates, changes and deletes a user without permissions, and a group with that user. */
async function provision(ask: Ask): Promise<string> {
  const name = `quern-doctor-${randomUUID()}`;
  await withNew(
    ask,
    '/Users',
    { userName: name, displayName: 'A check', active: false },
    async (user, id) => {
      await withNew(ask, '/Groups', { displayName: name, members: [{ value: id }] }, async () => undefined);
      const Operations = [{ op: 'Replace', path: 'displayName', value: 'Another check' }];
      const change = await ask('PATCH', user, { body: { schemas: [`${MESSAGES}:PatchOp`], Operations } });
      expectStatus(change, 200, 'a change of a user');
      const { displayName } = (await ask('GET', user)).body;
      if (displayName !== 'Another check') throw new Error('a change of a user was not saved');
    },
  );
  return 'a user and a group were created, changed and deleted';
}

/** Creates a resource, runs `use` with its path and id, and deletes it. */
async function withNew(
  ask: Ask,
  kind: '/Users' | '/Groups',
  body: Readonly<Record<string, unknown>>,
  use: (path: string, id: unknown) => Promise<void>,
): Promise<void> {
  const made = await ask('POST', kind, { body });
  if (made.status === 403) throw new Error('the token is read-only');
  expectStatus(made, 201, `creation in ${kind}`);
  const path = `${kind}/${made.body.id}`;
  try {
    await use(path, made.body.id);
  } catch (error) {
    const wasDeleted = await ask('DELETE', path).then(
      ({ status }) => status < 300 || status === 404,
      () => false,
    );
    throw wasDeleted ? error : new Error(`${describe(error)}; ${path} was not deleted`);
  }
  // The deletion of a user has a response body (docs/reference/scim.md#routes).
  expectStatus(await ask('DELETE', path), kind === '/Users' ? 200 : 204, `the deletion of ${path}`);
  expectStatus(await ask('GET', path), 404, `${path} after its deletion`);
}
